// A receiver may answer with what it was sent, as pages for debugging do. What lets others in is taken out of such texts.

const HIDDEN = "***";
/** Shorter texts are in many words. */
const MIN_LENGTH = 4;
/** So long a part of a path is the secret of an address, as of chats. */
const MIN_PART = 16;

/** `text` without the message's credentials: the header Authorization, values in the query, and long parts of the path. */
export function withoutEchoes(text: string, url: URL, headers: Readonly<Record<string, string>>): string {
  const { authorization = "" } = headers;
  const secrets = [
    authorization,
    authorization.replace(/^\S+ +/, ""),
    ...url.search.split("&").map((pair) => pair.replace(/^[^=]*=/, "")),
    ...url.searchParams.values(),
    ...url.pathname.split("/").filter((part) => part.length >= MIN_PART),
  ];
  return secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}
