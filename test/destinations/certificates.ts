import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cert, key } from "../upstream/localhostCertificate.ts";

/** Made for tests, with the key of localhostCertificate.ts: each is signed by itself. */
export const certificates = {
  /** For localhost, until 2021. */
  expired: `-----BEGIN CERTIFICATE-----
MIIBXjCCAQWgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATIWsgeNSUHjwdsddXx
322W9UQibHrzaakQDrQkG/3RfgslaU5RnAR0X1lendkj3GWAppgm9m4Cye5oDmIG
n5xyo0gwRjAUBgNVHREEDTALgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAd
BgNVHQ4EFgQUCbEhjDGeVvzKxS7yakSwqmaWAuUwCgYIKoZIzj0EAwIDRwAwRAIg
ZtoTOoa7XBpVsZagXLuU0ED1SpiB1ySMYIj+CmQzUp0CICGFQJxLqAF6kO0QZlNR
xmr9cDqRC8jCfaXwBvaH87UC
-----END CERTIFICATE-----`,
  /** For localhost, from 2100 on. */
  future: `-----BEGIN CERTIFICATE-----
MIIBYzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIhgPMjEwMDAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAwMFowFDESMBAGA1UE
AwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyFrIHjUlB48H
bHXV8d9tlvVEImx682mpEA60JBv90X4LJWlOUZwEdF9ZXp3ZI9xlgKaYJvZuAsnu
aA5iBp+ccqNIMEYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMB
Af8wHQYDVR0OBBYEFAmxIYwxnlb8ysUu8mpEsKpmlgLlMAoGCCqGSM49BAMCA0gA
MEUCIQDqbY7J3xDRGAsnI5x8vWpcOIOp7/2nUdV9NKibTFE6KQIgIq1VAa9NqbWG
UMw0iwn5r03jp4TATcRiCfhy87GfTbs=
-----END CERTIFICATE-----`,
  /** For other.example. */
  other: `-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1vdGhlci5l
eGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1vdGhlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyFrI
HjUlB48HbHXV8d9tlvVEImx682mpEA60JBv90X4LJWlOUZwEdF9ZXp3ZI9xlgKaY
JvZuAsnuaA5iBp+ccqNMMEowGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBQJsSGMMZ5W/MrFLvJqRLCqZpYC5TAKBggq
hkjOPQQDAgNHADBEAiAdMaAwQUYYyQHCrax8iVs007+k590oyM5yhUWlvdiTDQIg
GMCcPtE3m1gu6WRWkVWnwEnvJJL+DESR2FP13nwijs4=
-----END CERTIFICATE-----`,
};

/** What a certificate is, the certificate, the authority that is trusted, and what a broker's answer says. */
export const REFUSED: readonly [title: string, wrong: string, ca: string | undefined, why: RegExp][] = [
  ["has expired", certificates.expired, certificates.expired, /its certificate has expired \(CERT_HAS_EXPIRED\)/],
  ["is for another name", certificates.other, certificates.other, /another name \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
  ["is signed by itself", cert, undefined, /signed by itself alone \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
];

/** Into a folder, with its key. */
export async function writeCertificate(folder: string, text: string): Promise<{ certFile: string; keyFile: string }> {
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  await writeFile(certFile, text);
  await writeFile(keyFile, key);
  return { certFile, keyFile };
}
