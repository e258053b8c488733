// Incidents of docs/runbook.md in which work stands still, and nothing else fails loudly.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { Client } from "pg";
import { openClient } from "../../test/support/postgres/connections.ts";
import { callEndedEvent } from "../../test/support/events.ts";
import { failing, repeat, type Incident } from "./incident.ts";

export interface StandstillDeps {
  /** The address of the database that the gateways share. */
  databaseUrl: string;
  metricsPort: number;
  /** Kills the gateway, and resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts it on the same ports. */
  start(): Promise<void>;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
/** Nobody holds it for some seconds. One for longer would be taken for that of a clock that was set back. */
const leaseSql = (name: string) => `insert into leases (name, holder, expires_at)
  values ('${name}', 'nobody', extract(epoch from now()) * 1000 + 5000)
  on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`;
const submissionSql = (id: string, status: string) => `insert into submissions
  (id, viewer, idempotency_key, input_sha256, status, name, assistant_id, number_count, submitted_at)
  values ('${id}', 'web', '${id}', '', '${status}', 'Reminder', '1', 1, '${hoursAgo(0)}')`;

export function standstills({ databaseUrl, metricsPort, kill, start }: StandstillDeps): Incident[] {
  async function withRows(insert: string, remove: string, work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = await openClient({ connectionString: databaseUrl });
    await client.query(insert);
    await work(client);
    await client.query(remove);
    await client.end();
  }

  return [
    {
      title: "the service refuses the token",
      alerts: ["SwitchboardTokenRefused"],
      cause: (world, signal) =>
        failing(world, { kind: "status", status: 401, match: { path: "/openapi" } }, () => once(signal, "abort")),
    },
    {
      title: "reconciliation fails",
      alerts: ["SwitchboardReconciliationStands"],
      cause: (world, signal) =>
        failing(world, { kind: "status", status: 503, match: { path: "/openapi/calllog" } }, () =>
          once(signal, "abort"),
        ),
    },
    {
      title: "recordings are lost",
      alerts: ["SwitchboardRecordingsLost"],
      cause: ({ gateway }, signal) =>
        repeat(signal, 500, () => gateway.deliver(callEndedEvent({ record_url: "https://elsewhere.example/1.wav" }))),
    },
    {
      title: "a recording cannot be fetched",
      alerts: ["SwitchboardRecordingsPending"],
      // As after three hours in which its host did not answer.
      cause: (_, signal) =>
        withRows(
          `insert into recordings (session_id, revision, received_at, status, attempts, due_at, holder)
            values ('waits', 1, '${hoursAgo(3)}', 'PENDING', 9, 9e15, 'nobody')`,
          "delete from recordings where session_id = 'waits'",
          () => once(signal, "abort"),
        ),
    },
    {
      title: "nobody runs a reader",
      alerts: ["SwitchboardReaderStands"],
      cause: ({ gateway }, signal) =>
        withRows(leaseSql("reader correlation"), "delete from leases where name = 'reader correlation'", (client) =>
          repeat(signal, 500, async () => {
            await client.query(leaseSql("reader correlation"));
            await gateway.deliver(callEndedEvent());
          }),
        ),
    },
    {
      title: "a submission stays PENDING",
      alerts: ["SwitchboardSubmissionPending"],
      // As a gateway leaves it that hangs while it sends: it keeps its lease.
      cause: (_, signal) =>
        withRows(
          `${leaseSql("submission hangs")}; ${submissionSql("hangs", "PENDING")}`,
          "delete from submissions where id = 'hangs'; delete from leases where name = 'submission hangs'",
          (client) => repeat(signal, 500, () => client.query(leaseSql("submission hangs"))),
        ),
    },
    {
      title: "a submission stays UNCONFIRMED",
      alerts: ["SwitchboardSubmissionsUnconfirmed"],
      cause: (_, signal) =>
        withRows(submissionSql("unknown", "UNCONFIRMED"), "delete from submissions where id = 'unknown'", () =>
          once(signal, "abort"),
        ),
    },
    {
      title: "file descriptors are used up",
      alerts: ["SwitchboardFilesUsedUp"],
      async cause(_, signal) {
        const open = new Set<Socket>();
        await repeat(signal, 50, async () => {
          for (let count = open.size; count < 420; count += 1) {
            const socket = connect(metricsPort, "127.0.0.1");
            open.add(socket);
            socket.on("error", () => undefined).on("close", () => open.delete(socket));
          }
        });
        for (const socket of open) socket.destroy();
      },
    },
    {
      title: "a crash loop",
      alerts: ["SwitchboardRestarts"],
      cause: (_, signal) =>
        repeat(signal, 100, async () => {
          await kill();
          await start();
        }),
    },
    {
      title: "the gateway is gone",
      alerts: ["SwitchboardAllAway", "SwitchboardAway"],
      async cause(_, signal) {
        await kill();
        await once(signal, "abort");
        await start();
      },
    },
  ];
}
