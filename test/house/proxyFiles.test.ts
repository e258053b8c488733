import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { HEARTBEAT } from "../../src/websocket/heartbeat.ts";
import { textAt } from "./sources.ts";

const FILES = [
  ["nginx.conf", "nginx"],
  ["Caddyfile", "caddyfile"],
  ["traefik.yml", "yaml"],
] as const;
const KEEP_ALIVE = /KEEP_ALIVE_TIMEOUT_MS = ([\d_]+);/;

describe("The files of ops/proxies/", () => {
  it.each(FILES)("docs/proxies.md shows %s as it is", (file, language) => {
    expect(textAt("docs/proxies.md")).toContain(`\`\`\`${language}\n${textAt(`ops/proxies/${file}`)}\`\`\`\n`);
  });

  it("traefik.yml is YAML with a router to a service of two gateways", () => {
    const parsed = parseDocument(textAt("ops/proxies/traefik.yml"));
    expect([parsed.errors, parsed.warnings]).toEqual([[], []]);
    expect(parsed.toJS()).toMatchObject({
      http: {
        routers: { switchboard: { service: "switchboard" } },
        services: { switchboard: { loadBalancer: { servers: [{}, {}], serversTransport: "switchboard" } } },
        serversTransports: { switchboard: {} },
      },
    });
  });

  it.each([
    ["nginx.conf", 'proxy_set_header traceparent "";'],
    ["Caddyfile", "header_up -traceparent"],
    ["traefik.yml", 'traceparent: ""'],
  ])("%s drops the traceparent of clients", (file, line) => {
    expect(textAt(`ops/proxies/${file}`)).toContain(line);
  });

  it("wait longer than the gateway's pings are apart", () => {
    const [ofAll = ""] = textAt("ops/proxies/nginx.conf").split("location = /calllog");
    const timeouts = ofAll.matchAll(/proxy_(?:read|send)_timeout (\d+)s;/g);
    const seconds = [...timeouts].map(([, value]) => Number(value));
    expect(seconds.length).toBe(2);
    for (const value of seconds) expect(value * 1000).toBeGreaterThan(2 * HEARTBEAT.pingMs);
  });

  it("close idle connections before the gateway does", () => {
    const [, ms = ""] = KEEP_ALIVE.exec(textAt("src/server/httpServer.ts")) ?? [];
    const idle = [/ keepalive_timeout (\d+)s;/, /\tkeepalive (\d+)s\n/, /idleConnTimeout: (\d+)s\n/];
    for (const [at, [file]] of FILES.entries()) {
      const [, seconds] = idle[at]?.exec(textAt(`ops/proxies/${file}`)) ?? [];
      expect(Number(seconds) * 1000).toBeLessThan(Number(ms.replaceAll("_", "")));
    }
  });
});
