/**
 * The configuration of a one-node cluster without authentication inside, on loopback only.
 *
 * Three settings decide whether it starts in 2 seconds or in 20: `ms mon client mode = crc` (the
 * gateway otherwise insists on encryption, which needs authentication, and retries), the two
 * `paxos` waits (2 s for every pool by default), and few placement groups.
 */
export function cephConfig(options: {
  readonly directory: string;
  readonly fsid: string;
  readonly monitorPort: number;
}): string {
  const { directory, fsid, monitorPort } = options;
  return `[global]
fsid = ${fsid}
mon initial members = a
mon host = [v2:127.0.0.1:${monitorPort}/0]
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms bind ipv6 = false
ms bind msgr1 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = ${directory}/run
admin socket = ${directory}/run/$name.$pid.asok
log file = ${directory}/log/$name.log
log to stderr = false
err to stderr = false
crash dir = ${directory}/log
keyring = /dev/null
mon data = ${directory}/mon.a
mon allow pool size one = true
mon data avail crit = 1
mon max pg per osd = 1000
paxos propose interval = 0.01
paxos min wait = 0.01
osd data = ${directory}/osd.$id
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw run sync thread = false
`;
}
