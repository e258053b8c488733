/** Databases with these schema versions exist. */
export const RELEASED = 13;

/** The hash of their statements. */
export const releasedStatements = {
  sqlite: "22718acef6417f8c72fa4bd7e5e623063aca03b28bd657f34c260bf0fa1dc212",
  postgres: "dd4899a6adca92f988d3b48c8fc1b7f9b2d0af695cbdce97ae8886b398c64b9b",
};
