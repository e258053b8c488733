// Receives alerts from Alertmanager and prints each one as a line, so that compose shows them without an account anywhere:
// `docker compose logs -f alerts`. Replace it by a receiver of your own in alertmanager.yml.
import { createServer } from "node:http";

const PORT = Number(process.env.ALERTS_PORT ?? 9095);
const MAX_BYTES = 1024 * 1024;
/** In the other fields of the line. */
const SHOWN = ["alertname", "severity"];

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on("data", (chunk) => {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
    else request.destroy();
  });
  request.on("end", () => {
    const lines = linesOf(Buffer.concat(chunks).toString());
    for (const line of lines ?? []) process.stdout.write(`${line}\n`);
    response.writeHead(lines ? 200 : 400).end();
  });
  request.on("error", () => undefined);
});
server.listen(PORT, () => process.stdout.write(`Alerts are printed here. Port ${server.address().port}.\n`));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));

/** Null for a body that is not of Alertmanager's webhook. */
function linesOf(body) {
  try {
    return JSON.parse(body).alerts.map(lineOf);
  } catch {
    return null;
  }
}

function lineOf({ status, labels = {}, annotations = {}, startsAt }) {
  const others = Object.entries(labels).filter(([name]) => !SHOWN.includes(name));
  const where = others
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(" ");
  const state = status === "firing" ? (labels.severity ?? "alert").toUpperCase() : "OVER";
  return [startsAt, state, labels.alertname, annotations.summary, annotations.runbook_url, where]
    .filter(Boolean)
    .map((text) => String(text).replaceAll(/\p{Cc}/gu, " "))
    .join("  ");
}
