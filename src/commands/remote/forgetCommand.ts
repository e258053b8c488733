// `switchboard forget`: erases the calls of a phone number from a running gateway.
import { text } from "node:stream/consumers";
import { createGatewayClient } from "./gatewayClient.ts";
import { UsageError } from "../options.ts";
import { printLine } from "../output.ts";

interface Options {
  /** In any usual writing. `-`: it is read from standard input, so that no history and no list of processes holds it. */
  number: string;
  neverCall: boolean;
  /** Only counts. */
  dryRun: boolean;
  url: string | undefined;
}

const FORGET = `mutation($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {
  forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {
    calls events recordings rawDeliveries quarantined submissions proposals } }`;

/** Prints what was erased, or would be, as a JSON line. It may be repeated. */
export async function forgetCommand(
  { number, neverCall, dryRun, url }: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const gateway = createGatewayClient(url, env);
  const given = (number === "-" ? await text(process.stdin) : number).trim();
  if (given === "") throw new UsageError("A phone number is needed.");
  const { forgetPhone } = await gateway.query<{ forgetPhone: object | null }>(FORGET, {
    number: given,
    neverCall,
    dryRun,
  });
  await printLine(forgetPhone);
  return 0;
}
