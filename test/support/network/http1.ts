// A client that keeps its connections open and speaks HTTP/1.1, as balancers and services do. Node's fetch speaks HTTP/2 where it can, and
// fails a request when its peer ends such a connection after a thousand of them, as nginx does.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Http1Client extends Disposable {
  /** A POST if it has a body. Rejects as node:http does. */
  send(path: string, headers: Record<string, string>, body?: string): Promise<{ status: number; text: string }>;
}

export function createHttp1Client(url: string): Http1Client {
  const isHttps = url.startsWith("https:");
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  return {
    async send(path, headers, body) {
      const options = { agent, method: body === undefined ? "GET" : "POST", headers };
      const sent = (isHttps ? requestHttps : requestHttp)(url + path, options).end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      return { status: response.statusCode ?? 0, text: await text(response) };
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
