// A proxy to the service that cuts the connection at a given byte of the request or of the response.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Cut {
  /** The number of bytes that pass. */
  after: number;
  of: "request" | "response";
}

export interface CuttingProxy extends AsyncDisposable {
  url: string;
  /** Where the next connections are cut; null: nowhere. */
  cut: Cut | null;
  /** What passed through the last connection before it was cut. */
  seen: { request: Buffer; response: Buffer };
}

export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const cut = proxy.cut;
    const far = connect({ host: hostname, port: Number(port) });
    const seen = (proxy.seen = { request: Buffer.alloc(0), response: Buffer.alloc(0) });
    const breakOff = () => {
      near.resetAndDestroy();
      // The bytes that passed have arrived, so the service reads them before the connection's end.
      far.end();
    };
    const pass = (side: Cut["of"], to: Socket) => (bytes: Buffer) => {
      const left = cut?.of === side ? cut.after - seen[side].length : Infinity;
      const part = bytes.subarray(0, Math.max(0, left));
      seen[side] = Buffer.concat([seen[side], part]);
      const isCut = cut?.of === side && seen[side].length >= cut.after;
      if (part.length > 0) to.write(part, () => isCut && breakOff());
      else if (isCut) breakOff();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    near.on("data", pass("request", far));
    far.on("data", pass("response", near));
    near.on("end", () => far.end());
    far.on("end", () => near.end());
    if (cut?.of === "request" && cut.after === 0) breakOff();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: null,
    seen: { request: Buffer.alloc(0), response: Buffer.alloc(0) },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
