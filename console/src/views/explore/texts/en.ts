export const en = {
  frame: "GraphiQL, signed in with this tab's key",
  open: "Open alone",
  introspectionOff: "Introspection is off on this gateway.",
  introspectionOffHint:
    "GraphiQL reads the graph's types by introspection. The operator can switch it on with INTROSPECTION=on.",
  trustedOnly: "This gateway runs only trusted documents.",
  trustedOnlyHint:
    "GraphiQL writes documents of its own, which TRUSTED_DOCUMENTS refuses. Use a gateway without it to explore, such as one with the sandbox.",
  failed: "It is not known whether this gateway serves GraphiQL.",
};
