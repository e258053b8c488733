// Entity tags (RFC 9110, 8.8.3 and 13.1.2).

/** Whether If-None-Match names the tag, weakly or not: its client has what would be sent. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()));
}
