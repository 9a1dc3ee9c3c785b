// Keeps what a page complains of: loaded before its own script.
window.complaints = [];
for (const name of ["error", "warn", "info", "log", "debug"]) {
  console[name] = (...words) => window.complaints.push(`${name}: ${words.join(" ")}`);
}
for (const name of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  const keep = (event) => {
    const what = event.message ?? event.reason ?? event.blockedURI ?? event.target.src;
    window.complaints.push(`${name}: ${what}`);
  };
  addEventListener(name, keep, true);
}
