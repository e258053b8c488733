// What the gateway says of itself in the page, so that it is known before a viewer signs in.
const words = document.querySelector<HTMLMetaElement>('meta[name="switchboard"]')?.content.split(" ") ?? [];

export const gatewayFacts = {
  /** It serves the documentation at DOCS_PATH. */
  hasDocs: words.includes("docs"),
  /** It started the sandbox in place of a service, so no phone rings. */
  hasSandbox: words.includes("sandbox"),
};

export const DOCS_PATH = "/docs/";
