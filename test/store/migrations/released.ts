/** Databases with these schema versions exist. */
export const RELEASED = 12;

/** The hash of their statements. */
export const releasedStatements = {
  sqlite: "abc9f681c1271b49fe950e406ff7fc6f51d4575f1a6f7ca6450dfe7503b2a0b6",
  postgres: "ec030a7dff038e387f5502d862e16b00691dd6fa496f2a118cb96f0087710726",
};
