// A service behind TLS with a certificate of its own authority, under a name that only its own name server knows.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TlsService extends AsyncDisposable {
  url: string;
  /** The authority, as PEM. */
  certificate: string;
  /** The address of the name server. It listens on port 53, which needs the rights of root. */
  nameServer: string;
}

const DNS_PORT = 53;

/** Passes each request on to `target`, an http: address. */
export async function startTlsService(target: string, name: string): Promise<TlsService> {
  await using parts = new AsyncDisposableStack();
  const { key, certificate } = createCertificate(name);
  const server = parts.adopt(createServer({ key, cert: certificate }, passOn(target)), (started) =>
    started.closeAllConnections(),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  // Each process has an address of its own for port 53.
  const nameServer = `127.53.${process.pid & 0xff}.${(process.pid >> 8) & 0xff || 1}`;
  const names = parts.adopt(createSocket("udp4"), (started) => void started.close());
  names.on("message", (query, { port, address }) => names.send(answerTo(query, name), port, address));
  await once(names.bind(DNS_PORT, nameServer), "listening");
  const { port } = server.address() as AddressInfo;
  const owned = parts.move();
  return { url: `https://${name}:${port}`, certificate, nameServer, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const passOn = (target: string) => (request: IncomingMessage, response: ServerResponse) => {
  const { method, headers, url } = request;
  const forwarded = forward(new URL(url ?? "", target), {
    method,
    headers: { ...headers, host: new URL(target).host },
  });
  forwarded.on("response", (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
  forwarded.on("error", () => response.destroy());
  request.pipe(forwarded);
};

function createCertificate(name: string): { key: string; certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  // By the machine's clock, as the container has it: the clock of a test run may be set apart from it.
  const env = { PATH: process.env["PATH"] };
  execFileSync("openssl", [...request, ...names, "-keyout", key, "-out", certificate], { stdio: "ignore", env });
  const texts = { key: readFileSync(key, "utf8"), certificate: readFileSync(certificate, "utf8") };
  rmSync(folder, { recursive: true });
  return texts;
}

/** RFC 1035: 127.0.0.1 for an A query of the name, no record for another type. */
function answerTo(query: Buffer, name: string): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const labels = `${name
    .split(".")
    .map((label) => String.fromCharCode(label.length) + label)
    .join("")}\0`;
  const isName = question.subarray(0, -4).toString("latin1").toLowerCase() === labels;
  const isAddress = isName && question.readUInt16BE(question.length - 4) === 1;
  const head = Buffer.from([
    ...query.subarray(0, 2),
    0x81,
    isName ? 0x80 : 0x83,
    0,
    1,
    0,
    isAddress ? 1 : 0,
    0,
    0,
    0,
    0,
  ]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat(isAddress ? [head, question, record] : [head, question]);
}
