export const en = {
  title: "Open alerts",
  count: (n: string) => (n === "1" ? "1 alert" : `${n} alerts`),
  task: (id: string) => `Task ${id}`,
  acknowledge: "I have seen to it",
  seen: (name: string) => `Seen to by ${name},`,
  notDone: "That was not done.",
};
