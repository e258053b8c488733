// A TCP proxy in front of a gateway, which cuts connections and can block WebSockets as a company's proxy does.
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  url: string;
  /** Cuts every connection, without a word to either side. */
  cut(): void;
  /** Cuts every connection after so many more bytes of answers, then after so many more, and so on. */
  cutAt(bytes: readonly number[]): void;
  /** Answers upgrades with 403 from now on. */
  blocksWebSockets: boolean;
  /** Passes nothing more on, but keeps the connections open. */
  swallow(): void;
  /** The number of WebSockets that were asked for. */
  upgrades(): number;
  /** Where new connections go. */
  target: { url: string };
}

export async function startTcpProxy(target: { url: string }): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  let upgrades = 0;
  let isSwallowing = false;
  let cuts: number[] = [];
  let bytesLeft = Number.POSITIVE_INFINITY;

  function cut(): void {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
    pairs.clear();
  }
  function onRequest(client: Socket, upstream: Socket, chunk: Buffer): void {
    const isUpgrade = /^upgrade: websocket/im.test(chunk.toString("latin1"));
    if (isUpgrade) upgrades += 1;
    if (isUpgrade && proxy.blocksWebSockets)
      client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    else if (!isSwallowing) upstream.write(chunk);
  }
  function onAnswer(client: Socket, chunk: Buffer): void {
    if (isSwallowing) return;
    client.write(chunk.subarray(0, bytesLeft));
    bytesLeft -= chunk.length;
    if (bytesLeft > 0) return;
    bytesLeft = cuts.shift() ?? Number.POSITIVE_INFINITY;
    // The bytes before the cut shall arrive.
    setImmediate(cut);
  }
  const server = createServer((client) => {
    const upstream = connect({ host: "127.0.0.1", port: Number(new URL(proxy.target.url).port) });
    const pair = { client, upstream };
    pairs.add(pair);
    client.on("data", (chunk: Buffer) => onRequest(client, upstream, chunk));
    upstream.on("data", (chunk: Buffer) => onAnswer(client, chunk));
    for (const socket of [client, upstream]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: TcpProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    blocksWebSockets: false,
    cut,
    cutAt(bytes) {
      cuts = [...bytes];
      bytesLeft = cuts.shift() ?? Number.POSITIVE_INFINITY;
    },
    swallow: () => (isSwallowing = true),
    upgrades: () => upgrades,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
