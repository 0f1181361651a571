// Reads a Mermaid diagram from standard input with the parser of Mermaid itself.
import fs from 'fs';
import { JSDOM } from 'jsdom';
const dom = new JSDOM('');
globalThis.window = dom.window; globalThis.document = dom.window.document;
const { default: mermaid } = await import('mermaid');
try { const r = await mermaid.parse(fs.readFileSync(0,'utf8')); console.log('ok', JSON.stringify(r)); } catch (e) { console.error(e.message); process.exit(1); }
