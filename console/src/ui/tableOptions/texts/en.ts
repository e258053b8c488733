// The columns and the row height of a table. Loaded with the menu.
export const en = {
  columns: "Columns",
  density: "Row height",
  compact: "Compact",
  roomy: "Roomy",
};
