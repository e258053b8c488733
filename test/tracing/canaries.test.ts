import { expect, it, onTestFinished } from "vitest";
import { MUTATION, taskInputFor } from "../e2e/submitting.ts";
import { callEndedEvent } from "../support/events.ts";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { startTraced, tasksAndCalls } from "./tracedGateway.ts";

const PHONE = "13811112222";
const KEY = "canary-key-of-a-viewer";

it("A60, A61, A62: no trace holds a value, a number, a secret, an address with a query or the text of an error", async () => {
  const { url, ask, deliver, asked, collector, stop } = await startTraced(
    { TRUST_PROXY: "1" },
    (response, seen, request) => {
      if (seen.target.includes("/tasks/9")) response.writeHead(503).end(`canary ${PHONE}`);
      else if (seen.target.includes("/tasks/8")) response.writeHead(200).end(`{"canary": "${PHONE}"`);
      else tasksAndCalls(response, seen, request);
    },
  );
  const headers = { authorization: `Bearer ${KEY}`, "x-request-id": `canary-${PHONE}`, tracestate: `canary=${PHONE}` };
  const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`;
  await ask(
    `query Canary${PHONE}($phone: String) { callLogs(filter: { phone: $phone }) { nodes { callee } } }`,
    { phone: PHONE },
    headers,
  );
  await ask(
    `{ callLogs(filter: { phone: "${PHONE}" }) { nodes { canaryAlias: callee } } }`,
    {},
    { ...headers, traceparent },
  );
  for (const taskId of ["9", "8", "canary"])
    await ask("query($taskId: ID!) { task(taskId: $taskId) { name } }", { taskId });
  await ask(`{ canary${PHONE} }`);
  await ask(MUTATION, {
    input: taskInputFor("4", { name: "canary name", numbers: [{ number: PHONE, extra: { canary: PHONE } }] }),
  });
  await fetch(
    `${url}/graphql?query=${encodeURIComponent(`{ callEnded: __typename canary: node(id: "${PHONE}") { id } }`)}`,
    {
      headers: { ...headers, "x-switchboard-preflight": "1" },
    },
  );
  await fetch(`${url}/recordings/canary-signature?canary=${PHONE}`);
  await fetch(`${url}/canary/${PHONE}`);
  await fetch(`${url}/graphql`, { method: "PROPFIND", headers });
  await using stream = await openSse(url, { query: `subscription Canary { callEnded { callee task { name } } }` });
  const client = openSocket(url, `Bearer ${KEY}`);
  onTestFinished(async () => client.dispose());
  await subscribe(client, "query($taskId: ID!) { task(taskId: $taskId) { name } }", { taskId: "9" }).next();
  await deliver(callEndedEvent({ session_id: "canary-session", callee: PHONE, hangup_reason: "canary" }));
  await stream.next();
  await deliver(`canary ${PHONE}`);
  await deliver({}, { authorization: "canary" });
  await stop();

  const spanNames = new Set(collector.spans().map(({ name }) => name));
  for (const name of ["POST /graphql", "query", "mutation", "load calls", "commit event", "deliver event"]) {
    expect(spanNames).toContain(name);
  }
  expect(spanNames).toContain("GET /recordings/{address}");
  expect(asked.some(({ target }) => target.includes(PHONE))).toBe(true);
  const text = collector.text();
  const secrets = [PHONE, KEY, TOKEN, WEBHOOK_AUTHORIZATION, "PROPFIND"];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  // The name of an operation is chosen by its client. It stays, without digits in a row.
  const names = text.match(/canary[^\\"]*/gi) ?? [];
  expect([...new Set(names)]).toEqual(["Canary***22", "Canary"]);
});
