// The console's choice of light or dark, where this browser has one. It runs before the first paint.
try {
  const { theme } = JSON.parse(localStorage.getItem("switchboard-console") ?? "{}") as { theme?: string };
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
} catch {
  // Storage is refused: the system's choice.
}
