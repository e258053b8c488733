// Incidents of docs/runbook.md in which work stands still, and nothing else fails loudly.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { Client } from "pg";
import { callEndedEvent } from "../../test/support/events.ts";
import type { Incident, World } from "./incident.ts";
import { repeat } from "./incident.ts";

export interface StandstillDeps {
  /** Of the database that the gateways share. */
  databaseUrl: string;
  metricsPort: number;
  /** Kills the gateway, and resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts it on the same ports. */
  start(): Promise<void>;
}

const fail = (world: World, fault: object) => world.sandbox.control("POST", "faults", fault);
const mend = (world: World) => world.sandbox.control("DELETE", "faults");

export function standstills({ databaseUrl, metricsPort, kill, start }: StandstillDeps): Incident[] {
  return [
    {
      title: "the service refuses the token",
      alert: "SwitchboardTokenRefused",
      async cause(world, signal) {
        await fail(world, { kind: "status", status: 401, match: { path: "/openapi" } });
        await once(signal, "abort");
        await mend(world);
      },
    },
    {
      title: "reconciliation fails",
      alert: "SwitchboardReconciliationStands",
      async cause(world, signal) {
        await fail(world, { kind: "status", status: 503, match: { path: "/openapi/calllog" } });
        await once(signal, "abort");
        await mend(world);
      },
    },
    {
      title: "recordings are lost",
      alert: "SwitchboardRecordingsLost",
      cause: ({ gateway }, signal) =>
        repeat(signal, 500, () => gateway.deliver(callEndedEvent({ record_url: "https://elsewhere.example/1.wav" }))),
    },
    {
      title: "nobody runs a reader",
      alert: "SwitchboardReaderStands",
      async cause({ gateway }, signal) {
        const client = new Client(databaseUrl);
        await client.connect();
        const take = `insert into leases (name, holder, expires_at) values ('reader correlation', 'nobody', 9e15)
          on conflict (name) do update set holder = 'nobody', expires_at = 9e15`;
        await client.query(take);
        await repeat(signal, 1000, () => gateway.deliver(callEndedEvent()));
        await client.query("delete from leases where name = 'reader correlation'");
        await client.end();
      },
    },
    {
      title: "a submission stays PENDING",
      alert: "SwitchboardSubmissionPending",
      async cause(_, signal) {
        const client = new Client(databaseUrl);
        await client.connect();
        // As a gateway leaves it that hangs while it sends: it keeps its lease.
        await client.query(`insert into leases (name, holder, expires_at) values ('submission hangs', 'nobody', 9e15)`);
        await client.query(`insert into submissions
          (id, viewer, idempotency_key, input_sha256, status, name, assistant_id, number_count, submitted_at)
          values ('hangs', 'web', 'hangs', '', 'PENDING', 'Reminder', '1', 1, '${new Date().toISOString()}')`);
        await once(signal, "abort");
        await client.query("delete from submissions where id = 'hangs'");
        await client.query("delete from leases where name = 'submission hangs'");
        await client.end();
      },
    },
    {
      title: "file descriptors are used up",
      alert: "SwitchboardFilesUsedUp",
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
      alert: "SwitchboardRestarts",
      cause: (_, signal) =>
        repeat(signal, 100, async () => {
          await kill();
          await start();
        }),
    },
    {
      title: "the gateway is gone",
      alert: "SwitchboardAllAway",
      async cause(_, signal) {
        await kill();
        await once(signal, "abort");
        await start();
      },
    },
  ];
}
