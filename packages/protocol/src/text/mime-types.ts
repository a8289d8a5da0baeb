// Made by scripts/write-mime-types.mjs from the tables of the package `mime` (MIT).

/** Types and their extensions; a type without a slash is one of `application/`. */
export const MIME_TYPES = `andrew-inset ez;appinstaller appinstaller;applixware aw;appx appx;appxbundle appxbundle;atom+xml atom;atomcat+xml atomcat;atomdeleted+xml atomdeleted
atomsvc+xml atomsvc;atsc-dwd+xml dwd;atsc-held+xml held;atsc-rsat+xml rsat;automationml-aml+xml aml;automationml-amlx+zip amlx;bdoc bdoc
calendar+xml xcs;ccxml+xml ccxml;cdfx+xml cdfx;cdmi-capability cdmia;cdmi-container cdmic;cdmi-domain cdmid;cdmi-object cdmio;cdmi-queue cdmiq
chemical/x-cdx cdx;chemical/x-cif cif;chemical/x-cmdf cmdf;chemical/x-cml cml;chemical/x-csml csml;chemical/x-xyz xyz;cpl+xml cpl;cu-seeme cu;cwl cwl
dash+xml mpd;dash-patch+xml mpp;davmount+xml davmount;dicom dcm;docbook+xml dbk;dssc+der dssc;dssc+xml xdssc;ecmascript ecma;emma+xml emma
emotionml+xml emotionml;epub+zip epub;exi exi;express exp;fdf fdf;fdt+xml fdt;font-tdpfr pfr;font/collection ttc;font/otf otf;font/ttf ttf
font/woff woff;font/woff2 woff2;geo+json geojson;gml+xml gml;gpx+xml gpx;gxf gxf;gzip gz;hjson hjson;hyperstudio stk;inkml+xml ink inkml;ipfix ipfix
its+xml its;java-archive jar war ear;java-serialized-object ser;java-vm class;json json map;json5 json5;jsonml+json jsonml;ld+json jsonld;lgr+xml lgr
lost+xml lostxml;mac-binhex40 hqx;mac-compactpro cpt;mads+xml mads;manifest+json webmanifest;marc mrc;marcxml+xml mrcx;mathematica ma nb mb
mathml+xml mathml;mbox mbox;media-policy-dataset+xml mpf;mediaservercontrol+xml mscml;message/disposition-notification disposition-notification
message/global u8msg;message/global-delivery-status u8dsn;message/global-disposition-notification u8mdn;message/global-headers u8hdr
message/rfc822 eml mime mht mhtml;message/vnd.wfa.wsc wsc;metalink+xml metalink;metalink4+xml meta4;mets+xml mets;mmt-aei+xml maei;mmt-usd+xml musd
mods+xml mods;mp21 m21 mp21;mp4 mp4s m4p;msix msix;msixbundle msixbundle;msword doc dot;mxf mxf;n-quads nq;n-triples nt;node cjs;oda oda
oebps-package+xml opf;ogg ogx;omdoc+xml omdoc;onenote onetoc onetoc2 onetmp onepkg one onea;oxps oxps;p2p-overlay+xml relo;patch-ops-error+xml xer
pdf pdf;pgp-encrypted pgp;pgp-keys asc;pgp-signature sig;pics-rules prf;pkcs10 p10;pkcs7-mime p7m p7c;pkcs7-signature p7s;pkcs8 p8;pkix-attr-cert ac
pkix-cert cer;pkix-crl crl;pkix-pkipath pkipath;pkixcmp pki;pls+xml pls;postscript ai eps ps;provenance+xml provx;prs.cww cww;prs.xsf+xml xsf
pskc+xml pskcxml;raml+yaml raml;rdf+xml rdf owl;reginfo+xml rif;relax-ng-compact-syntax rnc;resource-lists+xml rl;resource-lists-diff+xml rld
rls-services+xml rs;route-apd+xml rapd;route-s-tsid+xml sls;route-usd+xml rusd;rpki-ghostbusters gbr;rpki-manifest mft;rpki-roa roa;rsd+xml rsd
rss+xml rss;rtf rtf;sbml+xml sbml;scvp-cv-request scq;scvp-cv-response scs;scvp-vp-request spq;scvp-vp-response spp;sdp sdp;senml+xml senmlx
sensml+xml sensmlx;set-payment-initiation setpay;set-registration-initiation setreg;shf+xml shf;sieve siv sieve;smil+xml smi smil;sparql-query rq
sparql-results+xml srx;sql sql;srgs gram;srgs+xml grxml;sru+xml sru;ssdl+xml ssdl;ssml+xml ssml;swid+xml swidtag;tei+xml tei teicorpus
text/cache-manifest appcache manifest;text/calendar ics ifb;text/coffeescript coffee litcoffee;text/css css;text/csv csv;text/html html htm shtml
text/jade jade;text/javascript js mjs;text/jsx jsx;text/less less;text/markdown md markdown;text/mathml mml;text/mdx mdx;text/n3 n3
text/prs.lines.tag dsc;text/richtext rtx;text/sgml sgml sgm;text/shex shex;text/slim slim slm;text/spdx spdx;text/stylus stylus styl
text/tab-separated-values tsv;text/troff t tr roff man me ms;text/turtle ttl;text/uri-list uri uris urls;text/vcard vcard;text/vnd.curl curl
text/vnd.curl.dcurl dcurl;text/vnd.curl.mcurl mcurl;text/vnd.curl.scurl scurl;text/vnd.dvb.subtitle sub;text/vnd.familysearch.gedcom ged
text/vnd.fly fly;text/vnd.fmi.flexstor flx;text/vnd.graphviz gv;text/vnd.in3d.3dml 3dml;text/vnd.in3d.spot spot;text/vnd.sun.j2me.app-descriptor jad
text/vnd.wap.wml wml;text/vnd.wap.wmlscript wmls;text/vtt vtt;text/wgsl wgsl;text/x-asm s asm;text/x-c c cc cxx cpp h hh dic;text/x-component htc
text/x-fortran f for f77 f90;text/x-handlebars-template hbs;text/x-java-source java;text/x-lua lua;text/x-markdown mkd;text/x-nfo nfo;text/x-opml opml
text/x-pascal p pas;text/x-processing pde;text/x-sass sass;text/x-scss scss;text/x-setext etx;text/x-sfv sfv;text/x-suse-ymp ymp;text/x-uuencode uu
text/x-vcalendar vcs;text/x-vcard vcf;text/yaml yaml yml;thraud+xml tfi;timestamped-data tsd;toml toml;trig trig;ttml+xml ttml;ubjson ubj
urc-ressheet+xml rsheet;urc-targetdesc+xml td;vnd.1000minds.decision-model+xml 1km;vnd.3gpp.pic-bw-large plb;vnd.3gpp.pic-bw-small psb
vnd.3gpp.pic-bw-var pvb;vnd.3gpp2.tcap tcap;vnd.3m.post-it-notes pwn;vnd.accpac.simply.aso aso;vnd.accpac.simply.imp imp;vnd.acucobol acu
vnd.acucorp atc acutc;vnd.adobe.air-application-installer-package+zip air;vnd.adobe.formscentral.fcdt fcdt;vnd.adobe.fxp fxp fxpl
vnd.adobe.xdp+xml xdp;vnd.age age;vnd.ahead.space ahead;vnd.airzip.filesecure.azf azf;vnd.airzip.filesecure.azs azs;vnd.amazon.ebook azw
vnd.americandynamics.acc acc;vnd.amiga.ami ami;vnd.android.package-archive apk;vnd.anser-web-certificate-issue-initiation cii
vnd.anser-web-funds-transfer-initiation fti;vnd.antix.game-component atx;vnd.apple.installer+xml mpkg;vnd.apple.keynote key;vnd.apple.mpegurl m3u8
vnd.apple.numbers numbers;vnd.apple.pages pages;vnd.apple.pkpass pkpass;vnd.aristanetworks.swi swi;vnd.astraea-software.iota iota;vnd.audiograph aep
vnd.autodesk.fbx fbx;vnd.balsamiq.bmml+xml bmml;vnd.blueice.multipass mpm;vnd.bmi bmi;vnd.businessobjects rep;vnd.chemdraw+xml cdxml
vnd.chipnuts.karaoke-mmd mmd;vnd.cinderella cdy;vnd.citationstyles.style+xml csl;vnd.claymore cla;vnd.cloanto.rp9 rp9
vnd.clonk.c4group c4g c4d c4f c4p c4u;vnd.cluetrust.cartomobile-config c11amc;vnd.cluetrust.cartomobile-config-pkg c11amz;vnd.commonspace csp
vnd.contact.cmsg cdbcmsg;vnd.cosmocaller cmc;vnd.crick.clicker clkx;vnd.crick.clicker.keyboard clkk;vnd.crick.clicker.palette clkp
vnd.crick.clicker.template clkt;vnd.crick.clicker.wordbank clkw;vnd.criticaltools.wbs+xml wbs;vnd.ctc-posml pml;vnd.cups-ppd ppd;vnd.curl.car car
vnd.curl.pcurl pcurl;vnd.dart dart;vnd.data-vision.rdz rdz;vnd.dbf dbf;vnd.dcmp+xml dcmp;vnd.dece.data uvf uvvf uvd uvvd;vnd.dece.ttml+xml uvt uvvt
vnd.dece.unspecified uvx uvvx;vnd.dece.zip uvz uvvz;vnd.denovo.fcselayout-link fe_launch;vnd.dna dna;vnd.dolby.mlp mlp;vnd.dpgraph dpg
vnd.dreamfactory dfac;vnd.ds-keypoint kpxx;vnd.dvb.ait ait;vnd.dvb.service svc;vnd.dynageo geo;vnd.ecowin.chart mag;vnd.enliven nml;vnd.epson.esf esf
vnd.epson.msf msf;vnd.epson.quickanime qam;vnd.epson.salt slt;vnd.epson.ssf ssf;vnd.eszigno3+xml es3 et3;vnd.ezpix-album ez2;vnd.ezpix-package ez3
vnd.fdsn.mseed mseed;vnd.fdsn.seed seed dataless;vnd.flographit gph;vnd.fluxtime.clip ftc;vnd.framemaker fm frame maker book;vnd.frogans.fnc fnc
vnd.frogans.ltf ltf;vnd.fsc.weblaunch fsc;vnd.fujitsu.oasys oas;vnd.fujitsu.oasys2 oa2;vnd.fujitsu.oasys3 oa3;vnd.fujitsu.oasysgp fg5
vnd.fujitsu.oasysprs bh2;vnd.fujixerox.ddd ddd;vnd.fujixerox.docuworks xdw;vnd.fujixerox.docuworks.binder xbd;vnd.fuzzysheet fzs
vnd.genomatix.tuxedo txd;vnd.geogebra.file ggb;vnd.geogebra.slides ggs;vnd.geogebra.tool ggt;vnd.geometry-explorer gex gre;vnd.geonext gxt
vnd.geoplan g2w;vnd.geospace g3w;vnd.gmx gmx;vnd.google-apps.document gdoc;vnd.google-apps.drawing gdraw;vnd.google-apps.form gform
vnd.google-apps.jam gjam;vnd.google-apps.map gmap;vnd.google-apps.presentation gslides;vnd.google-apps.script gscript;vnd.google-apps.site gsite
vnd.google-apps.spreadsheet gsheet;vnd.google-earth.kml+xml kml;vnd.google-earth.kmz kmz;vnd.gov.sk.xmldatacontainer+xml xdcf;vnd.grafeq gqf gqs
vnd.groove-account gac;vnd.groove-help ghf;vnd.groove-identity-message gim;vnd.groove-injector grv;vnd.groove-tool-message gtm
vnd.groove-tool-template tpl;vnd.groove-vcard vcg;vnd.hal+xml hal;vnd.handheld-entertainment+xml zmm;vnd.hbci hbci;vnd.hhe.lesson-player les
vnd.hp-hpgl hpgl;vnd.hp-hpid hpid;vnd.hp-hps hps;vnd.hp-jlyt jlt;vnd.hp-pcl pcl;vnd.hp-pclxl pclxl;vnd.hydrostatix.sof-data sfd-hdstx
vnd.ibm.minipay mpy;vnd.ibm.modcap afp listafp list3820;vnd.ibm.rights-management irm;vnd.ibm.secure-container sc;vnd.iccprofile icc icm
vnd.igloader igl;vnd.immervision-ivp ivp;vnd.immervision-ivu ivu;vnd.insors.igm igm;vnd.intercon.formnet xpw xpx;vnd.intergeo i2g;vnd.intu.qbo qbo
vnd.intu.qfx qfx;vnd.ipunplugged.rcprofile rcprofile;vnd.irepository.package+xml irp;vnd.is-xpr xpr;vnd.isac.fcs fcs;vnd.jam jam
vnd.jcp.javame.midlet-rms rms;vnd.jisp jisp;vnd.joost.joda-archive joda;vnd.kahootz ktz ktr;vnd.kde.karbon karbon;vnd.kde.kchart chrt
vnd.kde.kformula kfo;vnd.kde.kivio flw;vnd.kde.kontour kon;vnd.kde.kpresenter kpr kpt;vnd.kde.kspread ksp;vnd.kde.kword kwd kwt;vnd.kenameaapp htke
vnd.kidspiration kia;vnd.kinar kne knp;vnd.koan skp skd skt skm;vnd.kodak-descriptor sse;vnd.las.las+xml lasxml
vnd.llamagraphics.life-balance.desktop lbd;vnd.llamagraphics.life-balance.exchange+xml lbe;vnd.lotus-1-2-3 123;vnd.lotus-approach apr
vnd.lotus-freelance pre;vnd.lotus-notes nsf;vnd.lotus-organizer org;vnd.lotus-screencam scm;vnd.lotus-wordpro lwp;vnd.macports.portpkg portpkg
vnd.mapbox-vector-tile mvt;vnd.mcd mcd;vnd.medcalcdata mc1;vnd.mediastation.cdkey cdkey;vnd.mfer mwf;vnd.mfmp mfm;vnd.micrografx.flo flo
vnd.micrografx.igx igx;vnd.mif mif;vnd.mobius.daf daf;vnd.mobius.dis dis;vnd.mobius.mbk mbk;vnd.mobius.mqy mqy;vnd.mobius.msl msl;vnd.mobius.plc plc
vnd.mobius.txf txf;vnd.mophun.application mpn;vnd.mophun.certificate mpc;vnd.mozilla.xul+xml xul;vnd.ms-artgalry cil;vnd.ms-cab-compressed cab
vnd.ms-excel xls xlm xla xlc xlt xlw;vnd.ms-excel.addin.macroenabled.12 xlam;vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
vnd.ms-excel.sheet.macroenabled.12 xlsm;vnd.ms-excel.template.macroenabled.12 xltm;vnd.ms-fontobject eot;vnd.ms-htmlhelp chm;vnd.ms-ims ims
vnd.ms-lrm lrm;vnd.ms-officetheme thmx;vnd.ms-outlook msg;vnd.ms-pki.seccat cat;vnd.ms-powerpoint ppt pps pot
vnd.ms-powerpoint.addin.macroenabled.12 ppam;vnd.ms-powerpoint.presentation.macroenabled.12 pptm;vnd.ms-powerpoint.slide.macroenabled.12 sldm
vnd.ms-powerpoint.slideshow.macroenabled.12 ppsm;vnd.ms-powerpoint.template.macroenabled.12 potm;vnd.ms-project mpt;vnd.ms-visio.viewer vdx
vnd.ms-word.document.macroenabled.12 docm;vnd.ms-word.template.macroenabled.12 dotm;vnd.ms-works wps wks wcm wdb;vnd.ms-wpl wpl;vnd.ms-xpsdocument xps
vnd.mseq mseq;vnd.musician mus;vnd.muvee.style msty;vnd.mynfc taglet;vnd.nato.bindingdataobject+xml bdo;vnd.neurolanguage.nlu nlu;vnd.nitf ntf nitf
vnd.noblenet-directory nnd;vnd.noblenet-sealer nns;vnd.noblenet-web nnw;vnd.nokia.n-gage.data ngdat;vnd.nokia.n-gage.symbian.install n-gage
vnd.nokia.radio-preset rpst;vnd.nokia.radio-presets rpss;vnd.novadigm.edm edm;vnd.novadigm.edx edx;vnd.novadigm.ext ext
vnd.oasis.opendocument.chart odc;vnd.oasis.opendocument.chart-template otc;vnd.oasis.opendocument.database odb;vnd.oasis.opendocument.formula odf
vnd.oasis.opendocument.formula-template odft;vnd.oasis.opendocument.graphics odg;vnd.oasis.opendocument.graphics-template otg
vnd.oasis.opendocument.image odi;vnd.oasis.opendocument.image-template oti;vnd.oasis.opendocument.presentation odp
vnd.oasis.opendocument.presentation-template otp;vnd.oasis.opendocument.spreadsheet ods;vnd.oasis.opendocument.spreadsheet-template ots
vnd.oasis.opendocument.text odt;vnd.oasis.opendocument.text-master odm;vnd.oasis.opendocument.text-template ott;vnd.oasis.opendocument.text-web oth
vnd.olpc-sugar xo;vnd.oma.dd2+xml dd2;vnd.openblox.game+xml obgx;vnd.openofficeorg.extension oxt;vnd.openstreetmap.data+xml osm
vnd.openxmlformats-officedocument.presentationml.presentation pptx;vnd.openxmlformats-officedocument.presentationml.slide sldx
vnd.openxmlformats-officedocument.presentationml.slideshow ppsx;vnd.openxmlformats-officedocument.presentationml.template potx
vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx;vnd.openxmlformats-officedocument.spreadsheetml.template xltx
vnd.openxmlformats-officedocument.wordprocessingml.document docx;vnd.openxmlformats-officedocument.wordprocessingml.template dotx
vnd.osgeo.mapguide.package mgp;vnd.osgi.dp dp;vnd.osgi.subsystem esa;vnd.palm pdb pqa oprc;vnd.pawaafile paw;vnd.pg.format str;vnd.pg.osasli ei6
vnd.picsel efif;vnd.pmi.widget wg;vnd.pocketlearn plf;vnd.powerbuilder6 pbd;vnd.previewsystems.box box;vnd.procrate.brushset brushset
vnd.procreate.brush brush;vnd.procreate.dream drm;vnd.proteus.magazine mgz;vnd.publishare-delta-tree qps;vnd.pvi.ptid1 ptid
vnd.pwg-xhtml-print+xml xhtm;vnd.quark.quarkxpress qxd qxt qwd qwt qxl qxb;vnd.rar rar;vnd.realvnc.bed bed;vnd.recordare.musicxml mxl
vnd.recordare.musicxml+xml musicxml;vnd.rig.cryptonote cryptonote;vnd.rim.cod cod;vnd.rn-realmedia rm;vnd.rn-realmedia-vbr rmvb
vnd.route66.link66+xml link66;vnd.sailingtracker.track st;vnd.seemail see;vnd.sema sema;vnd.semd semd;vnd.semf semf;vnd.shana.informed.formdata ifm
vnd.shana.informed.formtemplate itp;vnd.shana.informed.interchange iif;vnd.shana.informed.package ipk;vnd.simtech-mindmapper twd twds;vnd.smaf mmf
vnd.smart.teacher teacher;vnd.software602.filler.form+xml fo;vnd.solent.sdkm+xml sdkm sdkd;vnd.spotfire.dxp dxp;vnd.spotfire.sfs sfs
vnd.stardivision.calc sdc;vnd.stardivision.draw sda;vnd.stardivision.impress sdd;vnd.stardivision.math smf;vnd.stardivision.writer sdw vor
vnd.stardivision.writer-global sgl;vnd.stepmania.package smzip;vnd.stepmania.stepchart sm;vnd.sun.wadl+xml wadl;vnd.sun.xml.calc sxc
vnd.sun.xml.calc.template stc;vnd.sun.xml.draw sxd;vnd.sun.xml.draw.template std;vnd.sun.xml.impress sxi;vnd.sun.xml.impress.template sti
vnd.sun.xml.math sxm;vnd.sun.xml.writer sxw;vnd.sun.xml.writer.global sxg;vnd.sun.xml.writer.template stw;vnd.sus-calendar sus susp;vnd.svd svd
vnd.symbian.install sis sisx;vnd.syncml+xml xsm;vnd.syncml.dm+wbxml bdm;vnd.syncml.dm+xml xdm;vnd.syncml.dmddf+xml ddf
vnd.tao.intent-module-archive tao;vnd.tcpdump.pcap pcap cap dmp;vnd.tmobile-livetv tmo;vnd.trid.tpt tpt;vnd.triscape.mxs mxs;vnd.trueapp tra
vnd.ufdl ufd ufdl;vnd.uiq.theme utz;vnd.umajin umj;vnd.unity unityweb;vnd.uoml+xml uoml uo;vnd.vcx vcx;vnd.visio vsd vst vss vsw vsdx vtx
vnd.visionary vis;vnd.vsf vsf;vnd.wap.wbxml wbxml;vnd.wap.wmlc wmlc;vnd.wap.wmlscriptc wmlsc;vnd.webturbo wtb;vnd.wolfram.player nbp
vnd.wordperfect wpd;vnd.wqd wqd;vnd.wt.stf stf;vnd.xara xar;vnd.xfdl xfdl;vnd.yamaha.hv-dic hvd;vnd.yamaha.hv-script hvs;vnd.yamaha.hv-voice hvp
vnd.yamaha.openscoreformat osf;vnd.yamaha.openscoreformat.osfpvg+xml osfpvg;vnd.yamaha.smaf-audio saf;vnd.yamaha.smaf-phrase spf
vnd.yellowriver-custom-menu cmp;vnd.zul zir zirz;vnd.zzazz.deck+xml zaz;voicexml+xml vxml;wasm wasm;watcherinfo+xml wif;widget wgt;winhlp hlp
wsdl+xml wsdl;wspolicy+xml wspolicy;x-7z-compressed 7z;x-abiword abw;x-ace-compressed ace;x-arj arj;x-authorware-bin aab x32 u32 vox
x-authorware-map aam;x-authorware-seg aas;x-bcpio bcpio;x-bittorrent torrent;x-blender blend;x-blorb blb blorb;x-bzip bz;x-bzip2 bz2 boz
x-cbr cbr cba cbt cbz cb7;x-cdlink vcd;x-cfs-compressed cfs;x-chat chat;x-chess-pgn pgn;x-chrome-extension crx;x-cocoa cco;x-conference nsc
x-conference/x-cooltalk ice;x-cpio cpio;x-csh csh;x-debian-package udeb;x-dgc-compressed dgc;x-director dir dcr dxr cst cct cxt w3d fgd swa;x-doom wad
x-dtbncx+xml ncx;x-dtbook+xml dtb;x-dtbresource+xml res;x-dvi dvi;x-envoy evy;x-eva eva;x-font-bdf bdf;x-font-ghostscript gsf;x-font-linux-psf psf
x-font-pcf pcf;x-font-snf snf;x-font-type1 pfa pfb pfm afm;x-freearc arc;x-futuresplash spl;x-gca-compressed gca;x-glulx ulx;x-gnumeric gnumeric
x-gramps-xml gramps;x-gtar gtar;x-hdf hdf;x-httpd-php php;x-install-instructions install;x-ipynb+json ipynb;x-java-archive-diff jardiff
x-java-jnlp-file jnlp;x-keepass2 kdbx;x-latex latex;x-lua-bytecode luac;x-lzh-compressed lzh lha;x-makeself run;x-mie mie;x-mobipocket-ebook mobi
x-ms-application application;x-ms-shortcut lnk;x-ms-wmd wmd;x-ms-wmz wmz;x-ms-xbap xbap;x-msaccess mdb;x-msbinder obd;x-mscardfile crd;x-msclip clp
x-msdownload com bat;x-msmediaview mvb m13 m14;x-msmetafile emz;x-msmoney mny;x-mspublisher pub;x-msschedule scd;x-msterminal trm;x-mswrite wri
x-netcdf nc cdf;x-ns-proxy-autoconfig pac;x-nzb nzb;x-perl pl pm;x-pkcs12 p12 pfx;x-pkcs7-certificates p7b spc;x-pkcs7-certreqresp p7r
x-redhat-package-manager rpm;x-research-info-systems ris;x-sea sea;x-sh sh;x-shar shar;x-shockwave-flash swf;x-silverlight-app xap;x-stuffit sit
x-stuffitx sitx;x-subrip srt;x-sv4cpio sv4cpio;x-sv4crc sv4crc;x-t3vm-image t3;x-tads gam;x-tar tar;x-tcl tcl tk;x-tex tex;x-tex-tfm tfm
x-texinfo texinfo texi;x-ustar ustar;x-virtualbox-hdd hdd;x-virtualbox-ova ova;x-virtualbox-ovf ovf;x-virtualbox-vbox vbox
x-virtualbox-vbox-extpack vbox-extpack;x-virtualbox-vdi vdi;x-virtualbox-vhd vhd;x-virtualbox-vmdk vmdk;x-wais-source src
x-web-app-manifest+json webapp;x-x509-ca-cert der crt pem;x-xfig fig;x-xpinstall xpi;x-xz xz;x-zmachine z1 z2 z3 z4 z5 z6 z7 z8;xaml+xml xaml
xcap-att+xml xav;xcap-caps+xml xca;xcap-diff+xml xdf;xcap-el+xml xel;xcap-ns+xml xns;xenc+xml xenc;xfdf xfdf;xhtml+xml xhtml xht;xliff+xml xlf
xml xml xsl xsd rng;xml-dtd dtd;xop+xml xop;xproc+xml xpl;xslt+xml xslt;xspf+xml xspf;xv+xml mxml xhvml xvml xvm;yang yang;yin+xml yin;zip zip
zip+dotlottie lottie`;
