/** Databases with these schema versions exist. */
export const RELEASED = 17;

/** The hash of their statements. */
export const releasedStatements = {
  sqlite: "0b56c0ea3367fd8ba2cbb2925110d9d6108f4fb04699ef2b8d28e07e06e082ac",
  postgres: "38e09d361aa5daab9f0cd9e6832939cc39ec1336b11417031a3c98e4f2957f44",
};
