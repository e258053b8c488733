// A real NATS server with JetStream on a free port of this machine, where one is installed, with nothing but its own folder.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import { createNatsBroker, type NatsSubject } from "../../../src/destinations/brokers/natsBroker.ts";
import { brokerAddressOf } from "../../../src/destinations/brokers/brokerAddress.ts";
import type { BrokerOptions } from "../../../src/destinations/brokers/broker.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { freePort } from "../../support/network/freePort.ts";
import { until } from "../../support/until.ts";
import { PATIENT, publishingWith, rulesFor } from "./publishing.ts";

export const hasNats = spawnSync("nats-server", ["--version"]).status === 0;
export const SUBJECT = "calls.ended";

export interface StoredMessage {
  subject: string;
  id: string | undefined;
  body: string;
}

export interface NatsServer {
  port: number;
  url: string;
  /** A connection as the user `admin`, where the server has users. */
  connected(): Promise<NatsConnection>;
  /** Asks the API of JetStream. */
  ask(subject: string, body?: object): Promise<unknown>;
  /** Creates the stream CALLS with the subjects `calls.>`. */
  createStream(own?: object): Promise<void>;
  /** The messages of the stream CALLS, in order. */
  messages(): Promise<StoredMessage[]>;
  kill(): Promise<void>;
  /** At the same port and folder. */
  start(): Promise<void>;
}

/** It goes with the test. */
export async function startNats(config = ""): Promise<NatsServer> {
  const server = await openNats(config);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** `config`: further lines of its file. */
export async function openNats(config = ""): Promise<NatsServer & AsyncDisposable> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const file = join(directory.path, "nats.conf");
  const store = JSON.stringify(join(directory.path, "store"));
  await writeFile(file, `host: 127.0.0.1\nport: ${port}\njetstream { store_dir: ${store} }\n${config}`);
  let stop = async () => undefined as void;
  const connected = () =>
    connect({ servers: `127.0.0.1:${port}`, reconnect: false, user: "admin", pass: "admin", tls: null });
  async function use<T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> {
    const connection = await connected();
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }
  async function askBy(connection: NatsConnection, subject: string, body: object = {}): Promise<unknown> {
    const answer = (await connection.request(`$JS.API.${subject}`, JSON.stringify(body), { timeout: 60_000 })).json();
    const { error } = answer as { error?: { description: string } };
    if (error) throw new Error(error.description);
    return answer;
  }
  const ask = (subject: string, body: object = {}) => use((connection) => askBy(connection, subject, body));
  async function start(): Promise<void> {
    const server = spawn("nats-server", ["-c", file], { stdio: "ignore" });
    const exited = once(server, "exit");
    stop = async () => {
      server.kill("SIGKILL");
      await exited;
    };
    await until(() => ask("INFO").then(Boolean, ({ message }: Error) => /tls/i.test(message)));
  }
  await start();
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    connected,
    ask,
    async createStream(own = {}) {
      const stream = { name: "CALLS", subjects: ["calls.>"], storage: "file", ...own };
      await ask("STREAM.CREATE.CALLS", stream);
    },
    messages: () =>
      use(async (connection) => {
        const { state } = (await askBy(connection, "STREAM.INFO.CALLS")) as {
          state: { first_seq: number; last_seq: number };
        };
        const found: StoredMessage[] = [];
        for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
          const { message } = (await askBy(connection, "STREAM.MSG.GET.CALLS", { seq })) as {
            message: { subject: string; hdrs?: string; data: string };
          };
          const head = Buffer.from(message.hdrs ?? "", "base64").toString();
          const body = Buffer.from(message.data, "base64").toString();
          found.push({ subject: message.subject, id: /^Nats-Msg-Id: (.*)\.\w+\r$/m.exec(head)?.[1], body });
        }
        return found;
      }),
    kill: () => stop(),
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

export function natsAt(url: string, own: Partial<NatsSubject> = {}, options: Partial<BrokerOptions> = {}) {
  const rules = options.rules ?? rulesFor(Number(URL.parse(url)?.port));
  const address = brokerAddressOf(url, rules);
  if (typeof address === "string") throw new Error(address);
  return publishingWith(
    createNatsBroker(address, { name: "nats", subject: SUBJECT, ...own }, { limits: PATIENT, ...options, rules }),
  );
}
