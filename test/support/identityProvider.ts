// A fake identity provider: publishes its keys and signs tokens.
import type { ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { serve } from "../server/serve.ts";

export const ISSUER = "https://id.example/";
export const AUDIENCE = "switchboard";

export async function startIdentityProvider() {
  const pair = await generateKeyPair("ES256", { extractable: true });
  let keys = [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }];
  let fetched = 0;
  const held: ServerResponse[] = [];
  let mode: "answers" | "answersWithMark" | "fails" | "hangs" = "answers";
  const server = await serve((_, response) => {
    fetched += 1;
    if (mode === "hangs") held.push(response);
    else if (mode === "fails") response.writeHead(500).end();
    else {
      const mark = mode === "answersWithMark" ? "\uFEFF" : "";
      response.writeHead(200, { "content-type": "application/json" }).end(mark + JSON.stringify({ keys }));
    }
  });
  const claims = (own: Record<string, unknown>): JWTPayload => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "alice",
    scope: "calls:read",
    exp: Math.floor(Date.now() / 1000) + 60,
    ...own,
  });
  const signed = (own: Record<string, unknown> = {}, key = pair.privateKey, kid: string | undefined = "one") =>
    new SignJWT(claims(own)).setProtectedHeader({ alg: "ES256", ...(kid && { kid }) }).sign(key);
  return {
    url: `${server.url}/jwks`,
    env: { JWT_JWKS_URL: `${server.url}/jwks`, JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE },
    fetched: () => fetched,
    /** Requests that wait for an answer in the mode "hangs". */
    waiting: () => held.filter((response) => !response.destroyed).length,
    publicKey: pair.publicKey,
    withdraw() {
      keys = [];
    },
    /** Publishes another key, and resolves with the private key to sign with. */
    async addKey(kid: string) {
      const added = await generateKeyPair("ES256", { extractable: true });
      keys = [...keys, { ...(await exportJWK(added.publicKey)), kid, alg: "ES256" }];
      return added.privateKey;
    },
    /** Sets the mode for the next requests. */
    set(next: typeof mode) {
      mode = next;
    },
    /** Signs a token. A claim that is undefined is left out. */
    token: signed,
    /**
     * Opens what ends with its token, which lives for a few seconds. Where `open` tells by null that the token had ended before, it is
     * called again with one that lives longer.
     */
    async openUntil<T>(open: (authorization: string) => Promise<T | null>): Promise<{ opened: T; exp: number }> {
      for (const seconds of [3, 20, 100]) {
        const exp = Math.floor(Date.now() / 1000) + seconds;
        const opened = await open(`Bearer ${await signed({ exp })}`);
        if (opened !== null) return { opened, exp };
      }
      throw new Error("It could not be opened before its token ended.");
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
