// `switchboard events show CURSOR` prints an entry of a running gateway and the delivery that brought it. `switchboard events reread`
// has deliveries read again, and prints the counts as one JSON line.
import { eventFields, shownTo } from "./eventsCommand.ts";
import { createGatewayClient } from "./gatewayClient.ts";
import { notify, printLine } from "../output.ts";

interface Shown {
  rawDelivery: { event: { receivedAt: string }; body: string | null; missing: string | null } | null;
}

interface Reread {
  rereadDeliveries: { read: number; changed: number; unreadable: number; cursor: string; hasNextPage: boolean } | null;
}

const SHOW = `query($cursor: String!, $people: Boolean!, $recordings: Boolean!) {
  rawDelivery(cursor: $cursor) { event { ...Entry } body missing } } ${eventFields}`;
const REREAD = `mutation($after: String) { rereadDeliveries(after: $after) {
  read changed unreadable cursor hasNextPage } }`;

/** Resolves with 1 if the entry was erased. */
export async function showCommand(cursor: string, url: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  const gateway = createGatewayClient(url, env);
  const variables = { cursor, ...(await shownTo(gateway)) };
  const { rawDelivery: shown } = await gateway.query<Shown>(SHOW, variables);
  if (!shown) {
    notify("The log has no entry at the cursor any more.\n");
    return 1;
  }
  const { event, body, missing } = shown;
  await printLine({ event, receivedAt: event.receivedAt, body, missing });
  return 0;
}

/** Resolves with 1 if a delivery cannot be read. Reports its progress on standard error. */
export async function rereadCommand(
  { url, after: from }: { url?: string | undefined; after?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const gateway = createGatewayClient(url, env);
  const total = { read: 0, changed: 0, unreadable: 0 };
  for (let after: string | null = from ?? null, isDone = false; !isDone;) {
    const { rereadDeliveries: some }: Reread = await gateway.query<Reread>(REREAD, { after });
    if (!some) throw new Error("The gateway did not answer the request.");
    total.read += some.read;
    total.changed += some.changed;
    total.unreadable += some.unreadable;
    after = some.cursor;
    isDone = !some.hasNextPage;
    notify(`${total.read} read, ${total.changed} changed, ${total.unreadable} unreadable, up to ${some.cursor}\n`);
  }
  await printLine(total);
  return total.unreadable === 0 ? 0 : 1;
}
