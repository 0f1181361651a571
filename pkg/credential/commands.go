package credential

import (
	"slices"
	"strings"
	"sync"
)

// command is how programs take a credential on their command lines, by flags that don't say so by their name alone.
type command struct {
	programs string // their names, or how these begin, and behind a plus a word that must follow
	apart    string // flags whose next word is one
	attached string // flags with one behind them, as -pX
	users    string // flags with a user and a password, and what is between these: alice:X
	between  byte
	last     bool // the last word is one
}

var commands = sync.OnceValue(func() []command {
	return []command{
		{programs: "curl etcdctl influx http https ab", users: "-u --user -U --proxy-user", between: ':'},
		{programs: "skopeo buildah podman ctr crictl", users: "--creds --src-creds --dest-creds", between: ':'},
		{programs: "smbclient rpcclient mount mount.cifs", users: "-U --user", between: '%'},
		{programs: "lftp", users: "-u", between: ','},
		{programs: "mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump 7z 7za rar", attached: "-p"},
		{programs: "mongo mongosh mongodump mongorestore mongoexport mongoimport", apart: "-p"},
		{programs: "docker+login podman+login buildah+login nerdctl+login helm+login oc+login az+login", apart: "-p"},
		{programs: "twine rabbitmqadmin sshpass", apart: "-p", attached: "-p"},
		{programs: "sqlcmd ipmitool mosquitto_pub mosquitto_sub zip unzip bcp", apart: "-P", attached: "-P"},
		{programs: "redis-cli", apart: "-a AUTH default"},
		{programs: "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami", apart: "-w -s -a"},
		{programs: "openssl+enc", apart: "-k -K"},
		{programs: "openssl", attached: "pass: -passin=pass: -passout=pass:"},
		{programs: "snmpwalk snmpget snmpset", apart: "-A -X -c"},
		{programs: "freerdp xfreerdp", attached: "/p:"},
		{programs: "influx", apart: "-t"},
		{programs: "rabbitmqctl+change_password rabbitmqctl+add_user htpasswd mc+alias mc+config", last: true},
		{programs: "net+use net+user", apart: "/user:", last: true},
		{programs: "vault+login", last: true},
	}
})

// withoutArguments takes out of a text what commands in it take as credentials.
func withoutArguments(text string) string {
	if !mayHaveCommand(text) {
		return text
	}
	var spans [][2]int
	for from := 0; from < len(text); {
		end := from + upTo(text[from:], "\n|;`")
		spans = append(spans, argumentsIn(text[from:end], from)...)
		from = end + 1
	}
	return replaced(text, spans)
}

// mayHaveCommand reports whether a text has the name of a program in it, which the table knows.
func mayHaveCommand(text string) bool {
	programs := byProgram()
	for from, to := 0, 0; from < len(text); from = to + 1 {
		for to = from; to < len(text) && ofName(text[to]); {
			to++
		}
		if _, known := programs[text[from:to]]; known {
			return true
		}
	}
	return false
}

// use is how one program, of a subcommand where that matters, takes credentials.
type use struct {
	command
	also string
}

var byProgram = sync.OnceValue(func() map[string][]use {
	all := map[string][]use{}
	for _, one := range commands() {
		for _, program := range strings.Fields(one.programs) {
			name, also, _ := strings.Cut(program, "+")
			all[name] = append(all[name], use{one, also})
		}
	}
	return all
})

// mostArguments is how many words of a command are looked at.
const mostArguments = 64

// argumentsIn returns where credentials are in a part of a text that may have one command.
func argumentsIn(part string, offset int) (spans [][2]int) {
	words := wordsOf(part)
	for at, word := range words {
		name := part[word[0]:word[1]]
		name = strings.Trim(name[strings.LastIndexByte(name, '/')+1:], "\"'$(")
		arguments := words[at+1 : min(at+1+mostArguments, len(words))]
		for _, one := range byProgram()[name] {
			is := func(word [2]int) bool { return part[word[0]:word[1]] == one.also }
			if one.also != "" && !slices.ContainsFunc(arguments, is) {
				continue
			}
			for _, span := range one.secrets(part, arguments) {
				spans = append(spans, [2]int{span[0] + offset, span[1] + offset})
			}
		}
	}
	return spans
}

// secrets returns where in a part of a text credentials are, among the words behind the program.
func (c command) secrets(part string, words [][2]int) (spans [][2]int) {
	add := func(from, to int) {
		open := opening(part[from:to])
		if from += len(open); open != "" && to-len(open) >= from && strings.HasSuffix(part[:to], open) {
			to -= len(open)
		}
		if value := part[from:to]; value != "" && value[0] != '-' && strings.Trim(value, "0123456789:") != "" &&
			!plainWord(value) && !strings.HasPrefix(value, Removed) {
			spans = append(spans, [2]int{from, to})
		}
	}
	user := func(from, to int) {
		if at := strings.IndexByte(part[from:to], c.between); at > 0 && !strings.HasPrefix(part[from+at:to], "://") {
			from += at + 1
			for _, quote := range `"'` {
				if strings.HasSuffix(part[from:to], string(quote)) {
					to--
				}
			}
			add(from, to)
		}
	}
	for i, word := range words {
		text := part[word[0]:word[1]]
		next := i+1 < len(words)
		for _, flag := range strings.Fields(c.users) {
			behind, is := strings.CutPrefix(text, flag)
			switch {
			case text == flag && next:
				user(words[i+1][0], words[i+1][1])
			case is && behind != "" && (behind[0] == '=' || len(flag) == len("-u")):
				user(word[0]+len(flag), word[1])
			}
		}
		for _, flag := range strings.Fields(c.apart) {
			if text == flag && next {
				add(words[i+1][0], words[i+1][1])
			}
		}
		for _, flag := range strings.Fields(c.attached) {
			if strings.HasPrefix(text, flag) && len(text) > len(flag) && !strings.HasPrefix(text, "--") {
				add(word[0]+len(flag), word[1])
			}
		}
	}
	if c.last && len(words) > 2 {
		at := len(words) - 1
		for at > 0 && strings.HasPrefix(part[words[at][0]:], "/") {
			at--
		}
		add(words[at][0], words[at][1])
	}
	return spans
}

// wordsOf returns where the words of a command are: what is in quotes is one.
func wordsOf(part string) (words [][2]int) {
	start := -1
	var quote byte
	for at := 0; at <= len(part); at++ {
		blank := at == len(part) || quote == 0 && (part[at] == ' ' || part[at] == '\t')
		switch {
		case blank && start >= 0:
			words, start = append(words, [2]int{start, at}), -1
		case blank:
		case quote == 0 && (part[at] == '"' || part[at] == '\''):
			quote = part[at]
		case part[at] == quote:
			quote = 0
		}
		if !blank && start < 0 {
			start = at
		}
	}
	return words
}

// replaced puts Removed in the place of parts of a text.
func replaced(text string, spans [][2]int) string {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var out strings.Builder
	done := 0
	for _, span := range spans {
		if span[0] >= done {
			out.WriteString(text[done:span[0]] + Removed)
			done = span[1]
		}
	}
	return out.String() + text[done:]
}
