// What `npm start` runs: the gateway.
import "./prepareStart.js";

await import("../src/main.ts");
