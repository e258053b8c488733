// A sandbox that keeps as many calls as its argument says, without history or traffic.
import { createSandbox } from "../../sandbox/src/sandbox.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { TIME_ZONE, TOKEN } from "../../test/support/sandbox.ts";

const { url } = await createSandbox({
  token: TOKEN,
  timeZone: TIME_ZONE,
  webhook: null,
  traffic: false,
  history: { tasks: 0, calls: 0, days: 0 },
  keptCalls: Number(process.argv[2]),
  log: silentLog,
});
console.log(JSON.stringify({ url }));
