#!/usr/bin/env bash
# Becomes systemd, as the first process of namespaces of its own: boot-systemd.sh FOLDER NODE PACKAGE
# It knows the units in FOLDER/units and none of this machine's: those would clean /tmp, write logs and set the kernel's parameters.
# The machine's files are read-only, and FOLDER/etc lies over /etc.
set -euo pipefail
folder=$1 node=$2 package=$3
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/over /run/work /run/opt/express-endpoint-listing
cp -r "$folder"/units/. /run/systemd/system/
cp -r "$folder/etc" /run/over/etc
touch /run/opt/node
mount --bind "$node" /run/opt/node
mount --bind "$package" /run/opt/express-endpoint-listing
mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/over/etc,workdir=/run/work /etc
mount --rbind /run/opt /opt
# systemd would make the machine's folder of control groups read-only for everybody.
for hidden in /lib/systemd/system /etc/systemd/system /tmp /var /sys/fs/cgroup; do mount -t tmpfs tmpfs "$hidden"; done
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
mount -o remount,bind,ro /
ip link set lo up
export container=other
exec /lib/systemd/systemd --system --unit=under-test.target --log-target=console --show-status=no
