// The kept connections to the service for GETs. The last one that became idle is used first, so that those beyond need expire.
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { CodedError } from "../errors.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createResponseReader, type ResponseHead, type ResponseSink } from "./responseReader.ts";
import { unavailableError } from "./serviceResponse.ts";

export interface Connections {
  /** An idle connection unless `onlyNew`, or a new one; undefined after `close`. */
  take(onlyNew: boolean): Connection | undefined;
  /** For a usable connection without a request. */
  giveBack(connection: Connection): void;
  /** Destroys all connections. */
  close(): void;
}

/** One request's use of a connection. Ends with one of onEnd and onError, unless the connection is destroyed. */
export interface ConnectionUse extends ResponseSink {
  /**
   * With UPSTREAM_UNAVAILABLE or UPSTREAM_CONTRACT. The connection is closed. `isStale`: it had served another request, and was
   * closed before any byte of the response, so the service has probably not seen the request.
   */
  onError(error: Error, isStale: boolean): void;
}

export interface Connection {
  /** Sends the text of a request. To be called on a usable connection without a request. */
  request(text: string, use: ConnectionUse): void;
  /** Closes the connection. Its request is not told. */
  destroy(): void;
  /** False: it is closed, or the service may close it at any moment. */
  isUsable(): boolean;
}

/** How often expired connections are closed. */
const SWEEP_MS = 1000;
const DEFAULT_KEEP_ALIVE_MS = 4000;
/** The service began to count earlier, and a request takes a while to reach it. */
const KEEP_ALIVE_MARGIN_MS = 2000;
const MAX_KEEP_ALIVE_MS = 600_000;

/** All connections lead to `origin`, so the token cannot reach another. */
export function createConnections(origin: URL): Connections {
  const connections = new Set<Connection>();
  let idle: Connection[] = [];
  let sweepTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function sweep(): void {
    const [kept, expired] = [idle.filter((each) => each.isUsable()), idle.filter((each) => !each.isUsable())];
    for (const connection of expired) connection.destroy();
    idle = kept;
    sweepTimer = idle.length > 0 ? setTimeout(sweep, SWEEP_MS).unref() : undefined;
  }

  return {
    take(onlyNew) {
      if (isClosed) return undefined;
      for (let last = onlyNew ? undefined : idle.pop(); last; last = idle.pop()) {
        if (last.isUsable()) return last;
        last.destroy();
      }
      const created = createConnection(origin, () => connections.delete(created));
      connections.add(created);
      return created;
    },
    giveBack(connection) {
      idle.push(connection);
      sweepTimer ??= setTimeout(sweep, SWEEP_MS).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(sweepTimer);
      for (const connection of connections) connection.destroy();
    },
  };
}

/** `onClose` is called once, however the connection ends. */
function createConnection(origin: URL, onClose: () => void): Connection {
  const reader = createResponseReader();
  const socket = openSocket(origin);
  let use: ConnectionUse | null = null;
  let usableUntil = Infinity;
  let isReused = false;
  let hasAnswered = false;
  let isClosed = false;

  socket.on("data", (bytes: Buffer) => {
    hasAnswered = true;
    try {
      reader.read(bytes);
    } catch (error) {
      close(error as Error);
      if (!(error instanceof CodedError)) throw error;
    }
  });
  socket.on("end", () => {
    reader.end();
    close(unavailableError(new Error("The service closed the connection.")));
  });
  socket.on("error", (error) => close(unavailableError(error)));
  socket.on("close", () => close(unavailableError(new Error("The connection was closed."))));

  function close(error: Error): void {
    if (isClosed) return;
    isClosed = true;
    socket.destroy();
    onClose();
    use?.onError(error, isReused && !hasAnswered);
  }

  return {
    request(text, next) {
      use = next;
      reader.start({
        onHead(head) {
          if (isClosed) return 0;
          usableUntil = performance.now() + keepAliveMs(head);
          return next.onHead(head);
        },
        onEnd(body, keepsAlive) {
          if (isClosed) return;
          use = null;
          isReused = true;
          hasAnswered = false;
          if (!keepsAlive) destroy();
          next.onEnd(body, keepsAlive);
        },
      });
      // Before the connection is open, the socket keeps the text.
      socket.write(text, "latin1");
    },
    destroy,
    isUsable: () => !isClosed && performance.now() < usableUntil,
  };

  function destroy(): void {
    use = null;
    close(new Error("The connection is no longer needed."));
  }
}

/** It has no timeout, because the deadline of a request ends it. */
function openSocket({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  const options = { host, noDelay: true, keepAlive: true, keepAliveInitialDelay: MINUTE_MS };
  if (protocol === "http:") return connectTcp({ ...options, port: Number(port || 80) });
  const servername = isIP(host) ? {} : { servername: host };
  // Loaded on use, because it takes milliseconds of each start.
  return process
    .getBuiltinModule("node:tls")
    .connect({ ...options, ...servername, port: Number(port || 443), ALPNProtocols: ["http/1.1"] });
}

function keepAliveMs({ headers }: ResponseHead): number {
  const seconds = /\btimeout=(\d{1,9})/i.exec(headers.get("keep-alive") ?? "")?.[1];
  if (seconds === undefined) return DEFAULT_KEEP_ALIVE_MS;
  return Math.min(Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
}
