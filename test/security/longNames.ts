// Documents with one name that is too long, for each kind of name.
const LONG = "x".repeat(129);

const places = [
  ["an alias", `{ ${LONG}: serviceTimeZone }`],
  ["a field", `{ ${LONG} }`],
  ["an argument", `{ callLogs(${LONG}: 1) { totalCount } }`],
  ["an operation", `query ${LONG} { serviceTimeZone }`],
  ["a fragment", `{ viewer { ...${LONG} } } fragment ${LONG} on Viewer { name }`],
  ["a variable", `query($${LONG}: Int) { callLogs(first: $${LONG}) { totalCount } }`],
  ["a type", `query($a: ${LONG}) { serviceTimeZone }`],
  ["a directive", `{ serviceTimeZone @${LONG} }`],
  ["an enum value", `{ callLogs(filter: { direction: ${LONG} }) { totalCount } }`],
  ["a member of an input", `{ callLogs(filter: { ${LONG}: 1 }) { totalCount } }`],
] as const;

export const longNames = [
  ...places.map(([what, query]) => [`${what} of 129 letters`, query] as const),
  ["an alias of 50,000 letters", `{ viewer { ${"x".repeat(50_000)}: name } }`] as const,
];
