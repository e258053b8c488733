// A router that confirms every message of Apollo's HTTP callback protocol, and does nothing with it.
import { createServer } from "node:http";
import { bodyOf, listen } from "./listen.ts";

const server = createServer((request, response) => {
  bodyOf(request).then(
    () => response.writeHead(204, { "subscription-protocol": "callback/1.0" }).end(),
    () => response.destroy(),
  );
});
await listen(server);
