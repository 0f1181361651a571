package main
import ("context";"os";"runtime/pprof";"runtime";"fmt";"time"
"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
"k8s.io/cli-runtime/pkg/genericiooptions")
func main(){
 s:=time.Now()
 if p:=os.Getenv("CPU");p!=""{f,_:=os.Create(p);pprof.StartCPUProfile(f);defer pprof.StopCPUProfile()}
 if p:=os.Getenv("MEM");p!=""{runtime.MemProfileRate=4096}
 c:=cli.Execute(context.Background(),genericiooptions.IOStreams{In:os.Stdin,Out:os.Stdout,ErrOut:os.Stderr},os.Args[1:])
 if p:=os.Getenv("MEM");p!=""{f,_:=os.Create(p);pprof.Lookup("allocs").WriteTo(f,0);f.Close()}
 fmt.Fprintln(os.Stderr,"exit",c,time.Since(s))
}
