// Runs one attack of attacks.ts with a client's credentials: `abuser ATTACK URL AUTHORIZATION SOUNDS ROUTER`. It has the lowest priority,
// because it stands for another machine. A request to its own address returns the number of attempts.
import { createServer } from "node:net";
import { setPriority } from "node:os";
import { attacks } from "../support/attacks.ts";
import { listen } from "./listen.ts";

const [name = "", url = "", authorization = "", soundsUrl = "", routerUrl = ""] = process.argv.slice(2);
const attack = attacks[name];
if (!attack) throw new Error(`There is no attack ${name}.`);

setPriority(19);
let attempts = 0;
const listening = listen(
  createServer((socket) => {
    const body = JSON.stringify({ attempts });
    socket.on("error", () => socket.destroy());
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
  }),
);
await Promise.all([
  listening,
  attack.begin({ url, authorization, soundsUrl, routerUrl, onAttempt: () => (attempts += 1) }),
]);
