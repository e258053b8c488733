// Links that lead where they must not, and some that may be followed.

/** The first, a middle and the last address of each net. */
export const PRIVATE: readonly string[] = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 [::] [::1]
  [fc00::1] [fdff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [100::1] [::ffff:127.0.0.1]
  [::ffff:8.8.8.8] [::7f00:1] [2002:7f00:1::] [2001::1] [2001:db8::1] [3fff::1] [64:ff9b::7f00:1]
  [64:ff9b:1::1] [5f00::1] [4000::1]
`
  .trim()
  .split(/\s+/);
export const PUBLIC = [
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.167.1.1",
  "198.20.0.1",
];

/** Loopback, as it may be written. */
export const WRITTEN = [
  "127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "１２７.0.0.1",
  "127。0。0。1",
  "0",
];

/** Each with what is wrong with it. */
export const BAD_LINKS: [string, string][] = [
  ["https://files.example./1.wav", "its host name ends with a dot"],
  ["https://files.example@127.0.0.1/1.wav", "it has a user name or password"],
  ["https://user:word@files.example/1.wav", "it has a user name or password"],
  ["https://files.example\\@127.0.0.1/1.wav", "it is not a web address"],
  ["https://files.exa\tmple/1.wav", "it is not a web address"],
  ["https://files.example/1.wav\n", "it is not a web address"],
  [" https://files.example/1.wav", "it is not a web address"],
  ["files.example/1.wav", "it is not a web address"],
  ["", "it is not a web address"],
  ["file:///etc/passwd", "it is neither http nor https"],
  ["data:audio/wav;base64,UklGRg==", "it is neither http nor https"],
  ["ftp://files.example/1.wav", "it is neither http nor https"],
  ["gopher://files.example/1.wav", "it is neither http nor https"],
  ["http://files.example/1.wav", "it is not https"],
  ["https://files.example:22/1.wav", "its port is neither 80 nor 443"],
  ["https://files.example:25/1.wav", "its port is neither 80 nor 443"],
  ["https://files.example:6379/1.wav", "its port is neither 80 nor 443"],
];
