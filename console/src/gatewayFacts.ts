// What the gateway says of itself in the page, so that it is known before a viewer signs in.
import { useEffect, useState } from "react";
import { useConnectionState } from "switchboard-client/react";

interface GatewayFacts {
  /** It serves the documentation at DOCS_PATH. */
  hasDocs: boolean;
  /** It started the sandbox in place of a service, so that its tasks phone nobody. */
  hasSandbox: boolean;
}

export const DOCS_PATH = "/docs/";

const NOTHING: GatewayFacts = { hasDocs: false, hasSandbox: false };

function factsOf(page: Document): GatewayFacts {
  const words = page.querySelector<HTMLMetaElement>('meta[name="switchboard"]')?.content.split(" ") ?? [];
  return { hasDocs: words.includes("docs"), hasSandbox: words.includes("sandbox") };
}

export const factsAtFirst = factsOf(document);

/**
 * Another gateway may answer after a lost connection, such as one with a service in place of the sandbox. So the page is read again when
 * the connection is there again, and nothing is said meanwhile.
 */
export function useGatewayFacts(): GatewayFacts {
  const { name } = useConnectionState();
  const [facts, setFacts] = useState(factsAtFirst);
  useEffect(() => {
    if (name === "waiting") setFacts(NOTHING);
    if (name !== "live") return undefined;
    const leaving = new AbortController();
    readPage(leaving.signal).then(setFacts, () => leaving.signal.aborted || setFacts(NOTHING));
    return () => leaving.abort();
  }, [name]);
  return facts;
}

async function readPage(signal: AbortSignal): Promise<GatewayFacts> {
  const response = await fetch("/", { headers: { accept: "text/html" }, cache: "no-cache", signal });
  if (!response.ok) throw new Error(`The page answered ${response.status}.`);
  return factsOf(new DOMParser().parseFromString(await response.text(), "text/html"));
}
