// Preloaded into the programs that tests start: keeps what Node compiles for later starts, as bin/start.js does for users. Tests
// kill most programs, which then cannot write it when they end.
import { flushCompileCache } from "node:module";

setTimeout(flushCompileCache, 1000).unref();
