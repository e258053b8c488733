export const en = {
  older: "Older",
  newest: "Newest",
};
