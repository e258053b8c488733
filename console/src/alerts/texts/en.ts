export const en = {
  title: "Open alerts",
  titleOf: (name: string) => `Open alerts about ${name}`,
  count: (n: string) => (n === "1" ? "1 alert" : `${n} alerts`),
  task: (id: string) => `Task ${id}`,
  destination: (name: string) => `Destination ${name}`,
  acknowledge: "I have seen to it",
  seen: (name: string) => `Seen to by ${name},`,
  failed: "Alerts cannot be read",
  more: (n: string) => `Only the newest ${n} are shown.`,
  notDone: "That was not done.",
};
