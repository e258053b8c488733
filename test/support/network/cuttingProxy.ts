// A TCP proxy that cuts connections: each at a given byte of the request or of the response, or all of them at once. It can
// block WebSockets, as a company's proxy does.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Cut {
  /** The number of bytes that pass. */
  after: number;
  of: "request" | "response";
}

export interface CuttingProxy extends AsyncDisposable {
  url: string;
  /** Where the next connections are cut, unless `draw` was given; null: nowhere. */
  cut: Cut | null;
  /** What passed through the last connection before it was cut. */
  seen: { readonly request: Buffer; readonly response: Buffer };
  /** How many connections were cut at their byte, and how many of all cut ones had asked for a stream of events. */
  cuts: { atByte: number; streams: number };
  /** Where new connections go. */
  target: string;
  /** Whether requests for a WebSocket are answered with 403. */
  blocksWebSockets: boolean;
  /** How many WebSockets were asked for. */
  upgrades: number;
  /** Whether new connections are broken off at once. */
  isClosed: boolean;
  cutAll(): void;
  /** Open connections pass nothing on any more, and stay open. */
  freezeAll(): void;
}

/** The head of a request that opens a WebSocket, or asks for server-sent events or results by HTTP callback. */
const STREAM = /^(?:upgrade: websocket|accept: text\/event-stream|accept: .*callbackspec=.*)\r$/im;

const UPGRADE = /^upgrade: websocket\r$/im;
const FORBIDDEN = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Joined only where a test asks: a page takes megabytes through one connection. */
function passedBytes() {
  const parts: Buffer[] = [];
  let length = 0;
  return {
    add(part: Buffer) {
      parts.push(part);
      length += part.length;
    },
    length: () => length,
    whole: () => Buffer.concat(parts),
  };
}

/** `draw` is called for each connection. */
export async function cuttingProxy(target: string, draw?: () => Cut | null): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const open = new Set<{ isFrozen: boolean; breakOff(): void }>();
  const server = createServer((near) => {
    if (proxy.isClosed) {
      near.on("error", () => undefined);
      near.resetAndDestroy();
      return;
    }
    const cut = draw ? draw() : proxy.cut;
    const { port, hostname } = new URL(proxy.target);
    const far = connect({ host: hostname, port: Number(port) });
    const passed = { request: passedBytes(), response: passedBytes() };
    proxy.seen = {
      get request() {
        return passed.request.whole();
      },
      get response() {
        return passed.response.whole();
      },
    };
    const connection = {
      isFrozen: false,
      breakOff() {
        if (open.delete(connection) && STREAM.test(passed.request.whole().toString("latin1"))) proxy.cuts.streams += 1;
        near.resetAndDestroy();
        // The bytes that passed have arrived, so the service reads them before the connection's end.
        far.end();
      },
    };
    const cutHere = () => {
      if (open.has(connection)) proxy.cuts.atByte += 1;
      connection.breakOff();
    };
    const pass = (side: Cut["of"], to: Socket) => (bytes: Buffer) => {
      if (connection.isFrozen) return;
      const left = cut?.of === side ? cut.after - passed[side].length() : Infinity;
      const part = bytes.subarray(0, Math.max(0, left));
      passed[side].add(part);
      const isCut = cut?.of === side && passed[side].length() >= cut.after;
      if (part.length > 0) to.write(part, () => isCut && cutHere());
      else if (isCut) cutHere();
    };
    open.add(connection);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    const passRequest = pass("request", far);
    near.on("data", (bytes: Buffer) => {
      const isUpgrade = UPGRADE.test(bytes.toString("latin1"));
      if (isUpgrade) proxy.upgrades += 1;
      if (isUpgrade && proxy.blocksWebSockets) near.end(FORBIDDEN);
      else passRequest(bytes);
    });
    far.on("data", pass("response", near));
    near.on("end", () => far.end());
    far.on("end", () => near.end());
    near.on("close", () => {
      open.delete(connection);
      far.end();
    });
    // The target refused the connection, or ended.
    far.on("close", (hadError) => hadError && near.destroy());
    if (cut?.of === "request" && cut.after === 0) cutHere();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: null,
    seen: { request: Buffer.alloc(0), response: Buffer.alloc(0) },
    cuts: { atByte: 0, streams: 0 },
    target,
    blocksWebSockets: false,
    upgrades: 0,
    isClosed: false,
    cutAll() {
      for (const connection of open) connection.breakOff();
    },
    freezeAll() {
      for (const connection of open) connection.isFrozen = true;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
