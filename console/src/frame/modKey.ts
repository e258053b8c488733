/** The key that a shortcut is pressed with, as the keyboard names it. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";
