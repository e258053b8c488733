// An identity provider: it publishes its keys, and signs whatever it is asked to.
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { serve } from "../http/serve.ts";

export const ISSUER = "https://id.example/";
export const AUDIENCE = "switchboard";

export async function startIdentityProvider() {
  const pair = await generateKeyPair("ES256", { extractable: true });
  let keys = [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }];
  let fetched = 0;
  const server = await serve((_, response) => {
    fetched += 1;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  const claims = (own: Record<string, unknown>): JWTPayload => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "alice",
    scope: "calls:read",
    exp: Math.floor(Date.now() / 1000) + 60,
    ...own,
  });
  return {
    url: `${server.url}/jwks`,
    env: { JWT_JWKS_URL: `${server.url}/jwks`, JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE },
    fetched: () => fetched,
    publicKey: pair.publicKey,
    withdraw() {
      keys = [];
    },
    /** An own claim that is undefined is left out. */
    token: (own: Record<string, unknown> = {}, key = pair.privateKey) =>
      new SignJWT(claims(own)).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(key),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
