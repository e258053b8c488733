/** Databases with these schema versions exist. */
export const RELEASED = 16;

/** The hash of their statements. */
export const releasedStatements = {
  sqlite: "0b71dbf54c62576a1f99538922d8c655e9ff56ccb2a597c1a232dac3dc4cc822",
  postgres: "6364db2b5bd7b1f6485bf398c44b28f605309e6d1429a9eb7a694664dee07f0b",
};
