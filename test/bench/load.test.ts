// The load of benchmarks: how many requests it sends. Its times mean nothing here.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { openLoad } from "../../bench/support/load.ts";

it("A load with a rate sends as many requests as are due, however late the answers are", async () => {
  await using server = createServer((_, response) => setImmediate(() => response.end("{}")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const request = Buffer.from("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  const statuses: number[] = [];
  using load = await openLoad(`http://127.0.0.1:${port}`, {
    connections: 4,
    rate: 200,
    next: () => request,
    check: ({ status }) => statuses.push(status),
  });
  const { answered } = await load.run(297);
  expect(answered).toBe(60);
  expect(statuses).toEqual(Array.from({ length: 60 }, () => 200));
});
