// GET /client.tgz: the client as a package, so that `npm install https://<gateway>/client.tgz` gives an app the one that fits. It needs no
// credentials: it is code, and holds no data.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientFile } from "../clientFile.ts";
import { sendEncoded } from "../encodedBody.ts";
import { sendText } from "../httpResponse.ts";
import { SECURITY_HEADERS } from "../securityHeaders.ts";

const NOT_PACKED = `The client is not packed yet. After npm start this takes some seconds: ask again.
To pack it by hand: node client/build/packClient.js
`;

/** `version`: the gateway's, which is the client's, too. */
export function createClientRoute(file: ClientFile, version: string) {
  const headers = {
    ...SECURITY_HEADERS,
    "content-type": "application/gzip",
    "content-disposition": `attachment; filename="switchboard-client-${version}.tgz"`,
    // The next version has the same address.
    "cache-control": "no-cache",
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendText(response, 405, "", { allow: "GET, HEAD" });
    const body = await file.read();
    if (body === null) return sendText(response, 404, NOT_PACKED, { "cache-control": "no-store" });
    return sendEncoded(request, response, body, headers);
  };
}
