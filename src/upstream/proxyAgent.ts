// undici's agent for a proxy: it tunnels https by CONNECT, and sends http to the proxy. It is loaded where there is a proxy only.
import type { EnvHttpProxyAgent } from "undici";
import type { ProxyConfig } from "../config/proxyConfig.ts";
import { loadEnvHttpProxyAgent } from "./undici.ts";

/** The proxy of now: the same object until its address or password changes. Null: the service is reached directly. */
export type LiveProxy = (() => ProxyConfig) | null;

export const fixedProxy = (proxy: ProxyConfig | null): LiveProxy => proxy && (() => proxy);

export function createProxyAgent(proxy: ProxyConfig, options: EnvHttpProxyAgent.Options = {}): EnvHttpProxyAgent {
  const Agent = loadEnvHttpProxyAgent();
  // Empty texts, because undici reads the environment for those that are undefined.
  return new Agent({
    ...options,
    // undici asks for each on its own: the request, the connection to the proxy, and the tunnel.
    allowH2: false,
    proxyTls: { allowH2: false },
    requestTls: { allowH2: false },
    httpProxy: proxy.http,
    httpsProxy: proxy.https,
    noProxy: proxy.noProxy,
  });
}
