// Runs one attack of attacks.ts with a client's credentials: `abuser URL ATTACK AUTHORIZATION`. It has the lowest priority,
// because it stands for another machine. A request to its own address returns the number of attempts.
import { createServer } from "node:net";
import { setPriority } from "node:os";
import { attacks } from "../support/attacks.ts";
import { listen } from "./listen.ts";

const [url = "", name = "", authorization = ""] = process.argv.slice(2);
const attack = attacks[name];
if (!attack) throw new Error(`There is no attack ${name}.`);

setPriority(19);
let attempts = 0;
attack.begin({ url, authorization, onAttempt: () => (attempts += 1) });

await listen(
  createServer((socket) => {
    const body = JSON.stringify({ attempts });
    socket.on("error", () => socket.destroy());
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
  }),
);
