// `switchboard destinations`: prints the systems to which a running gateway sends ended calls and alerts, and pauses, resumes and tests them.
import { exitWhenReaderCloses, printLine } from "../output.ts";
import { UsageError } from "../options.ts";
import { createGatewayClient } from "./gatewayClient.ts";
import { readTimes } from "./timeOption.ts";

interface Options {
  url?: string | undefined;
}

const ANSWER = "{ at status text }";
const FIELDS = `name kind url order enabled state disabledFor cursor lag waitingAlerts failures failingSince secondsToNext delivered skipped
  waitingLetters deadLetters lastAnswer ${ANSWER}`;
const NAMED = "The name of a destination is needed, as DESTINATIONS_FILE has it.";

/** A JSON line for each destination. */
export async function destinationsCommand({ url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  const { destinations } = await createGatewayClient(url, env).query<{ destinations: object[] | null }>(
    `{ destinations { ${FIELDS} } }`,
  );
  for (const each of destinations ?? []) await printLine(each);
  return 0;
}

/** Prints the destination. `after`, `since`: the cursor or the instant from which its events are sent again. */
export async function changeCommand(
  to: "pause" | "resume",
  name: string,
  { url, after, since }: Options & { after?: string | undefined; since?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (name === "") throw new UsageError(NAMED);
  const field =
    to === "pause"
      ? `mutation($name: String!) { changed: pauseDestination(name: $name) { ${FIELDS} } }`
      : `mutation($name: String!, $after: String, $since: DateTime) {
          changed: resumeDestination(name: $name, after: $after, since: $since) { ${FIELDS} } }`;
  const gateway = createGatewayClient(url, env);
  const times = since === undefined ? { since: null } : await readTimes(gateway, { since });
  const variables = to === "pause" ? { name } : { name, after: after ?? null, ...times };
  const { changed } = await gateway.query<{ changed: object }>(field, variables);
  await printLine(changed);
  return 0;
}

/** The exit code is 1 unless the receiver has taken the message. */
export async function testCommand(name: string, { url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  if (name === "") throw new UsageError(NAMED);
  const { testDestination: answer } = await createGatewayClient(url, env).query<{
    testDestination: { status: number | null; text: string | null };
  }>(`mutation($name: String!) { testDestination(name: $name) ${ANSWER} }`, { name });
  await printLine(answer);
  const { status, text } = answer;
  // A folder, a bucket and a broker take events without a status. A chat may refuse a message with a status of 200, and says why.
  return text === null && (status === null || (status >= 200 && status < 300)) ? 0 : 1;
}
