/** A fresh certificate for a server on the loopback address that vouches for itself, so that no key lies in the repository. */
import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = sequence(identifier("2a8648ce3d040302"));
  const name = sequence(item(0x31, sequence(identifier("550403"), item(0x0c, Buffer.from("policyc test")))));
  const names = sequence(item(0x82, Buffer.from("localhost")), item(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(identifier("551d13"), item(0x01, Buffer.from([0xff])), item(0x04, sequence(item(0x01, Buffer.from([0xff]))))),
    sequence(identifier("551d11"), item(0x04, names)),
  );
  const body = sequence(
    item(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(item(0x18, Buffer.from("20200101000000Z")), item(0x18, Buffer.from("20991231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    item(0xa3, extensions),
  );
  const whole = sequence(body, algorithm, item(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)])));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return { cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"), key: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
}

/** DER: tag, length, content. */
function item(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 128 ? [content.length] : content.length < 256 ? [0x81, content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return item(0x30, ...contents);
}

function identifier(hex: string): Buffer {
  return item(0x06, Buffer.from(hex, "hex"));
}

function integer(value: number): Buffer {
  return item(0x02, Buffer.from([value]));
}
