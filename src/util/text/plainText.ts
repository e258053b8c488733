// Text without what is not seen: invisible characters, other forms of the same letters (full-width ones), blanks around it.

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** In Unicode's form NFKC. */
export const plainText = (text: string): string => text.normalize("NFKC").replaceAll(INVISIBLE, "").trim();

/** Also without accents and other marks: for comparison with words of ASCII. */
export const withoutAccents = (text: string): string => plainText(text.normalize("NFKD").replaceAll(/\p{M}/gu, ""));
