// `npm run bench:projections`: makes the recipients of a log on SQLite for the first time, and then anew beside the live ones, while
// webhooks arrive. Measures time and processor time for each event, and how long an append takes meanwhile. Ends with 1 if the rows
// are not those of the log. `--numbers 1`: all calls are to one number. `-- webhooks`: what projections add to the processor time of a webhook;
// with `--rate 500` at so many a second.
import { readCommandLine } from "./support/commandLine.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { makeRecipients } from "./support/recipientRun.ts";
import { compareWebhookCost } from "./support/webhookCost.ts";

const { values, isChosen, refuse } = readCommandLine({
  run: "npm run bench:projections",
  names: ["made", "webhooks"],
  options: {
    events: { type: "string", default: "50000" },
    numbers: { type: "string", default: "20000" },
    rounds: { type: "string", default: "7" },
    ms: { type: "string", default: "2000" },
    rate: { type: "string", default: "" },
  },
  written: "[--events 50000] [--numbers 20000] [--rounds 7] [--ms 2000] [--rate 500]",
});
const [events, numbers, rounds, ms] = [values.events, values.numbers, values.rounds, values.ms].map(Number) as [
  number,
  number,
  number,
  number,
];
const rate = values.rate === "" ? undefined : Number(values.rate);
if (!(Math.min(events, numbers, rounds, ms, rate ?? 1) >= 1)) refuse("Each number is 1 at least.");

await printMachineFacts();
if (isChosen("made")) {
  const { attempts, total } = await makeRecipients({ events, numbers }, console.log);
  console.log(`the recipients have ${attempts} of ${total} calls`);
  process.exitCode = attempts === total ? 0 : 1;
}
if (isChosen("webhooks")) await compareWebhookCost({ rounds, ms, warmMs: 2 * ms, numbers, rate });
