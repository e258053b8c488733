/** A piece of text that the search finds. Short names, because there are thousands of them. */
export interface Passage {
  /** The address on the site, with the anchor. */
  u: string;
  /** The page's title. */
  p: string;
  /** The heading; empty for what stands above the second heading. */
  h: string;
  /** The words; empty for the heading itself. */
  t: string;
}
