// Preloaded into the programs that tests start: keeps what Node compiles for later starts, and resolves imports, as
// bin/prepareStart.js does for users. Tests kill most programs, which then cannot write it when they end.
import { flushCompileCache } from "node:module";
import "../../bin/exactImports.js";

setTimeout(flushCompileCache, 1000).unref();
