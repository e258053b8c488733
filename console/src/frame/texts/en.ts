// The list of keys. Loaded with it.
export const en = {
  enabled: "Use shortcuts of one character",
  help: "Show this list",
  next: "Next row, with its details where they are open",
  previous: "Previous row, with its details where they are open",
  ends: "First row, last row",
  openRow: "Open the row",
  closeDrawer: "Close the details",
  filter: "Go to the filters",
  pause: "Pause, or go on",
  page: "Next page, previous page",
  readAgain: "Read the list again",
  play: "Play, or pause the recording",
  seek: "Back or forward by 5 seconds in a recording",
};
