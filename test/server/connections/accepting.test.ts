import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createLoopTurns } from "../../../src/util/loopTurns.ts";
import { openServer } from "../../graphql/openServer.ts";

const CONNECTIONS = 100;

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

it("runs a request of a busy connection after all waiting connections were accepted", async () => {
  // Its clock stands still: on a busy machine, the request would not wait for all of them.
  const turns = createLoopTurns(() => 0);
  const acceptedFirst = Promise.withResolvers<void>();
  let accepted = 0;
  const acceptedBefore: number[] = [];
  const { port } = await openServer({
    turns: {
      ...turns,
      accepted() {
        turns.accepted();
        accepted += 1;
        if (accepted === 2) acceptedFirst.resolve();
      },
    },
    graphql(_, response) {
      acceptedBefore.push(accepted);
      response.end();
    },
  });
  const busy = await openSocket(port);
  const arriving = Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(port)));
  await acceptedFirst.promise;
  busy.write("POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n");
  await Promise.all([arriving, once(busy, "data")]);
  expect(acceptedBefore).toEqual([CONNECTIONS + 1]);
});

it("takes the client's address and the credentials of a request for its sender", async () => {
  const senders: string[] = [];
  const { url } = await openServer({
    trustedProxies: 1,
    turns: {
      accepted() {},
      afterAccepting(begin, senderOf) {
        const { address, credentials } = senderOf();
        senders.push(`${address} ${credentials}`);
        begin();
      },
    },
  });
  const ask = (headers: Record<string, string>) => fetch(`${url}/graphql`, { method: "POST", headers });
  await ask({ authorization: "Bearer key", cookie: "a=b" });
  await ask({ cookie: "session=1", "x-forwarded-for": "198.51.100.1, 203.0.113.7" });
  await ask({});
  expect(senders).toEqual(["127.0.0.1 Bearer key", "203.0.113.7 session=1", "127.0.0.1 "]);
});
